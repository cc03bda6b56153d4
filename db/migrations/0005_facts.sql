-- What is believed: facts, their versions on two clocks, and the claims behind them.

create table taisce.fact (
    project_id bigint not null,
    fact_id uuid not null,
    content_key uuid not null,
    kind text not null check (kind in ('relation', 'attribute')),
    subject_entity_id uuid not null,
    predicate text collate "C",
    object_entity_id uuid,
    object_value text,
    statement text not null,
    confidence double precision check (confidence between 0 and 1),
    source_role text not null
        check (source_role in ('user', 'assistant', 'system', 'tool', 'document')),
    data_subject_id text,
    cardinality text not null check (cardinality in ('one', 'many')),
    contradiction_group uuid,
    support text not null default 'current' check (support in ('current', 'withdrawn')),
    retention_until timestamptz not null default 'infinity',
    recorded_at timestamptz not null,
    stated_from timestamptz not null default '-infinity',
    stated_until timestamptz not null default 'infinity',
    superseded_by uuid,
    supersession_source uuid,
    retracted_at timestamptz,
    retraction_reason text,
    primary key (project_id, fact_id),
    check ((kind = 'relation') = (object_entity_id is not null)),
    check (kind = 'attribute' or predicate is not null)
);
-- Not unique: a merge may make two facts say the same.
create index fact_content on taisce.fact (project_id, content_key);
create index fact_contradiction on taisce.fact (project_id, contradiction_group, fact_id)
where contradiction_group is not null;
create index fact_superseded_by on taisce.fact (project_id, superseded_by)
where superseded_by is not null;
create index fact_supersession_source on taisce.fact (project_id, supersession_source)
where supersession_source is not null;
create index fact_retention on taisce.fact (project_id, retention_until)
where retention_until < 'infinity';

-- Scalars, never null, 'infinity' for open ends, half open [from, to). `live` is a hint that may
-- only err to true; `replaced` says that a replacement, not the source, set valid_to; `slot` that
-- its fact holds one value at a time; `contested` that it is in a contradiction group, which
-- exempts it from the no-overlap rule.
create table taisce.fact_version (
    project_id bigint not null,
    fact_id uuid not null,
    known_from timestamptz not null,
    known_to timestamptz not null default 'infinity',
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    live boolean not null default true,
    replaced boolean not null default false,
    slot boolean not null default false,
    contested boolean not null default false,
    subject_entity_id uuid not null,
    object_entity_id uuid,
    predicate text collate "C",
    source_role text collate "C" not null,
    data_subject_id text collate "C",
    narrow_key text collate "C"
        generated always as (data_subject_id || E'\x1f' || source_role) stored,
    retention_until timestamptz not null default 'infinity',
    cause text not null default 'asserted'
        check (cause in ('asserted', 'superseded', 'corrected', 'reopened', 'loaded', 'merged')),
    caused_by uuid,
    closed_cause text
        check (closed_cause in ('superseded', 'corrected', 'retracted', 'reopened', 'loaded')),
    closed_by uuid,
    primary key (project_id, fact_id, known_from),
    check (valid_from < valid_to),
    check (known_from < known_to),
    check (not live or known_to = 'infinity')
);
-- Current reads: each holds, in fact order, what a walk filters on and returns.
create index fact_version_subject on taisce.fact_version
(project_id, subject_entity_id, source_role, fact_id)
include (object_entity_id, predicate, valid_from, valid_to, known_from, replaced, retention_until)
where live;
create index fact_version_object on taisce.fact_version
(project_id, object_entity_id, source_role, fact_id)
include (subject_entity_id, predicate, valid_from, valid_to, known_from, replaced, retention_until)
where live and object_entity_id is not null;
create index fact_version_subject_of on taisce.fact_version
(project_id, subject_entity_id, narrow_key, fact_id)
include (object_entity_id, source_role, predicate, valid_from, valid_to, known_from, replaced,
    retention_until)
where live and narrow_key is not null;
create index fact_version_object_of on taisce.fact_version
(project_id, object_entity_id, narrow_key, fact_id)
include (subject_entity_id, source_role, predicate, valid_from, valid_to, known_from, replaced,
    retention_until)
where live and object_entity_id is not null and narrow_key is not null;
-- Past reads look here as well: the same order over rows that are superseded, retracted or ended.
create index fact_version_subject_past on taisce.fact_version
(project_id, subject_entity_id, source_role, fact_id)
include (object_entity_id, predicate, valid_from, valid_to, known_from, known_to, replaced,
    retention_until)
where not live;
create index fact_version_object_past on taisce.fact_version
(project_id, object_entity_id, source_role, fact_id)
include (subject_entity_id, predicate, valid_from, valid_to, known_from, known_to, replaced,
    retention_until)
where not live and object_entity_id is not null;
create index fact_version_subject_of_past on taisce.fact_version
(project_id, subject_entity_id, narrow_key, fact_id)
include (object_entity_id, source_role, predicate, valid_from, valid_to, known_from, known_to,
    replaced, retention_until)
where not live and narrow_key is not null;
create index fact_version_object_of_past on taisce.fact_version
(project_id, object_entity_id, narrow_key, fact_id)
include (subject_entity_id, source_role, predicate, valid_from, valid_to, known_from, known_to,
    replaced, retention_until)
where not live and object_entity_id is not null and narrow_key is not null;
-- The second belt of cardinality one, and the way to a slot's neighbours in time.
create unique index fact_version_slot on taisce.fact_version
(project_id, subject_entity_id, predicate, source_role, (coalesce(data_subject_id, '')), contested,
    valid_from, (case when contested then fact_id end))
nulls not distinct
where slot and known_to = 'infinity';
create index fact_version_caused_by on taisce.fact_version (project_id, caused_by)
where caused_by is not null;
create index fact_version_known on taisce.fact_version (project_id, known_from);
-- Rows whose stated end lies ahead: maintenance retires them once it has passed.
create index fact_version_ending on taisce.fact_version (project_id, valid_to)
where live and valid_to < 'infinity';
alter table taisce.fact_version set (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05
);

-- Ordered as evidence is shown: earliest first.
create table taisce.fact_evidence (
    project_id bigint not null,
    fact_id uuid not null,
    stance text collate "C" not null check (stance in ('supports', 'contradicts')),
    log_offset bigint not null,
    ordinal integer not null,
    byte_start integer not null,
    claim_id uuid not null,
    observation_id uuid not null,
    role text not null,
    data_subject_id text,
    retention_until timestamptz not null default 'infinity',
    linked_at timestamptz not null,
    primary key (project_id, fact_id, stance, log_offset, ordinal, byte_start, claim_id)
);
create index fact_evidence_claim on taisce.fact_evidence (project_id, claim_id);
create index fact_evidence_retention on taisce.fact_evidence (project_id, fact_id, retention_until)
where retention_until < 'infinity';
