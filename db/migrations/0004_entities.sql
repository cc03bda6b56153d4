-- Who and what: entities, the names that lead to them, merges, and the vocabulary of predicates.

create table taisce.entity (
    project_id bigint not null,
    entity_id uuid not null,
    identity_kind text not null check (identity_kind in ('named', 'speaker')),
    canonical_name text not null,
    entity_type text,
    profile text,
    speaker_subject_id text,
    status text not null default 'active' check (status in ('active', 'merged', 'retired')),
    merged_into uuid,
    first_seen_at timestamptz not null,
    name_source uuid,
    profile_source uuid,
    name_until timestamptz not null default 'infinity',
    short_name text generated always as (
        case
            when octet_length(canonical_name) <= 2600 then canonical_name
            else left(canonical_name, 650)
        end
    ) stored,
    primary key (project_id, entity_id),
    check ((identity_kind = 'speaker') = (speaker_subject_id is not null)),
    check ((status = 'merged') = (merged_into is not null))
);
-- The project comes last where a look-up gives both: an index that begins with it looks as good as
-- any other to a planner without statistics, and is read whole.
create unique index entity_speaker on taisce.entity (speaker_subject_id, project_id);
create index entity_merged_into on taisce.entity (merged_into, project_id);
create index entity_sources on taisce.entity (name_source, project_id);
comment on column taisce.entity.short_name is
'The canonical name, cut where it is too long for a B-tree: what views of facts show.';
comment on column taisce.entity.name_until is
'Until when the source of the canonical name may be read; a trigger keeps it.';
create index entity_name_until on taisce.entity (project_id, name_until)
where name_until < 'infinity';
create index entity_profile_source on taisce.entity (profile_source, project_id);

-- The one table that anchoring probes. name_key is the normalised name, or a digest of it where it
-- is too long for a B-tree; head_key is set for names of more than four words.
create table taisce.entity_name (
    project_id bigint not null,
    name_key text collate "C" not null,
    entity_id uuid not null,
    normalized_name text not null,
    spelling text not null,
    kind text not null check (kind in ('canonical', 'alias')),
    words integer not null,
    head_key text collate "C",
    source_observation_id uuid,
    kept_until timestamptz not null default 'infinity',
    primary key (project_id, name_key, entity_id)
);
comment on column taisce.entity_name.kept_until is
'Until when the source of the name may be read; a trigger keeps it.';
create unique index entity_name_canonical on taisce.entity_name (project_id, name_key)
where kind = 'canonical';
create index entity_name_entity on taisce.entity_name (entity_id, project_id);
create index entity_name_head on taisce.entity_name (project_id, head_key)
where octet_length(normalized_name) > 1024;
create index entity_name_source on taisce.entity_name (source_observation_id, project_id);

create table taisce.entity_merge (
    project_id bigint not null references taisce.project (project_id),
    merge_id uuid not null,
    absorbed uuid not null,
    survivor uuid not null,
    merged_at timestamptz not null,
    merged_by text not null,
    snapshot jsonb not null,
    reversed_at timestamptz,
    reversed_by text,
    primary key (project_id, merge_id)
);
create index entity_merge_absorbed on taisce.entity_merge (project_id, absorbed);
create index entity_merge_survivor on taisce.entity_merge (project_id, survivor);

create table taisce.predicate (
    project_id bigint not null references taisce.project (project_id),
    predicate text collate "C" not null,
    cardinality text not null default 'many' check (cardinality in ('one', 'many')),
    description text,
    primary key (project_id, predicate)
);
