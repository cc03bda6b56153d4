-- What was said: observations, their messages, claims about them, and who is mentioned where.

-- From observations to the versions of facts there are no foreign keys: rows come and go by
-- functions alone, each of which checks what it refers to, and the keys took over a third of the
-- time of a load. A test looks for orphans.
create table taisce.observation (
    project_id bigint not null,
    observation_id uuid not null,
    log_offset bigint not null check (log_offset > 0),
    kind text not null check (kind in ('turn', 'document', 'curated')),
    source_role text not null
        check (source_role in ('user', 'assistant', 'system', 'tool', 'document')),
    data_subject_id text
        check (data_subject_id ~ '\S' and octet_length(data_subject_id) <= 1024),
    occurred_at timestamptz,
    ingested_at timestamptz not null,
    lineage text not null,
    source_kind text,
    source_ref text,
    title text,
    idempotency_key text collate "C" check (octet_length(idempotency_key) <= 1024),
    content_digest bytea,
    message_count integer not null,
    characters bigint not null,
    retention_until timestamptz not null default 'infinity',
    formed_at timestamptz,
    parked_at timestamptz,
    parked_reason text,
    released_at timestamptz,
    erased boolean not null default false,
    primary key (project_id, observation_id),
    unique (project_id, log_offset)
);
create unique index observation_idempotency on taisce.observation (project_id, idempotency_key);
create index observation_subject on taisce.observation
(project_id, data_subject_id, log_offset) include (observation_id, kind, formed_at, characters);
create index observation_occurred on taisce.observation (project_id, occurred_at);
create index observation_ingested on taisce.observation (project_id, ingested_at);
create index observation_retention on taisce.observation (project_id, retention_until)
where retention_until < 'infinity';
create index observation_unformed on taisce.observation (project_id, log_offset)
where formed_at is null and parked_at is null and not erased;

create table taisce.message (
    project_id bigint not null,
    observation_id uuid not null,
    ordinal integer not null check (ordinal >= 0),
    passage_id uuid not null,
    log_offset bigint not null,
    role text not null check (role in ('user', 'assistant', 'system', 'tool', 'document')),
    content text check (octet_length(content) <= 65536),
    characters integer not null,
    octets integer not null,
    occurred_at timestamptz,
    content_digest bytea not null,
    data_subject_id text,
    retention_until timestamptz not null default 'infinity',
    primary key (project_id, observation_id, ordinal),
    unique (project_id, passage_id)
);
create index message_occurred on taisce.message (project_id, occurred_at);

create table taisce.claim (
    project_id bigint not null,
    claim_id uuid not null,
    observation_id uuid not null,
    ordinal integer not null,
    byte_start integer not null check (byte_start >= 0),
    byte_end integer not null,
    quote text not null,
    claim_text text not null,
    role text not null,
    log_offset bigint not null,
    data_subject_id text,
    retention_until timestamptz not null default 'infinity',
    asserted_at timestamptz,
    claim_valid_from timestamptz,
    claim_valid_until timestamptz,
    claim_valid_precision text not null default 'unknown'
        check (claim_valid_precision in
            ('unknown', 'instant', 'day', 'month', 'quarter', 'year', 'open')),
    is_attributed boolean not null default false,
    is_current_testimony boolean not null default true,
    extractor_version text,
    ingested_at timestamptz not null,
    primary key (project_id, claim_id),
    check (byte_end > byte_start and byte_end - byte_start = octet_length(quote))
);
create index claim_message on taisce.claim (project_id, observation_id, ordinal, byte_start);
create index claim_asserted on taisce.claim (project_id, asserted_at);

-- Subject narrowing, coverage and erasure rest on this table.
create table taisce.entity_mention (
    project_id bigint not null,
    entity_id uuid not null,
    observation_id uuid not null,
    ordinal integer not null,
    claim_id uuid,
    data_subject_id text,
    retention_until timestamptz not null default 'infinity',
    unique nulls not distinct (project_id, entity_id, observation_id, ordinal, claim_id)
);
create index entity_mention_subject on taisce.entity_mention
(project_id, entity_id, data_subject_id) include (retention_until);
create index entity_mention_observation on taisce.entity_mention (project_id, observation_id);
