-- Saved queries, feedback, audit, rebuilds, and the stage that bulk loads pass through.

create table taisce.saved_query (
    project_id bigint not null references taisce.project (project_id),
    namespace text not null,
    name text not null,
    version integer not null check (version > 0),
    sql text not null,
    parameters jsonb not null default '[]',
    description text not null,
    status text not null default 'draft' check (status in ('draft', 'active', 'retired')),
    origin text not null,
    fixtures jsonb not null default '[]',
    author text not null,
    created_at timestamptz not null,
    activated_by text,
    activated_at timestamptz,
    self_activated boolean not null default false,
    primary key (project_id, namespace, name, version),
    check (namespace <> 'examples')
);

create table taisce.feedback (
    project_id bigint not null references taisce.project (project_id),
    feedback_id uuid not null,
    fact_id uuid,
    bundle jsonb,
    kind text not null,
    note text,
    reported_by text not null,
    reported_at timestamptz not null,
    primary key (project_id, feedback_id)
);
create index feedback_fact on taisce.feedback (project_id, fact_id);

create table taisce.audit_entry (
    project_id bigint not null references taisce.project (project_id),
    entry_id bigint not null,
    operation text not null,
    role text not null,
    magnitude integer,
    outcome text not null,
    milliseconds double precision,
    at timestamptz not null,
    seal bytea,
    primary key (project_id, entry_id)
);
create sequence taisce.audit_number owned by taisce.audit_entry.entry_id;
create index audit_entry_at on taisce.audit_entry (project_id, at);

create table taisce.rebuild (
    project_id bigint not null references taisce.project (project_id),
    rebuild_id uuid not null,
    from_offset bigint not null,
    to_offset bigint not null,
    at_offset bigint not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    primary key (project_id, rebuild_id),
    check (from_offset <= to_offset)
);
create unique index rebuild_running on taisce.rebuild (project_id) where ended_at is null;

-- What the keys of loaded lines stand for, so that later files may refer to them.
create table taisce.load_key (
    project_id bigint not null,
    kind text collate "C" not null
        check (kind in ('observation', 'entity', 'claim', 'fact', 'community', 'retraction')),
    key text collate "C" not null check (octet_length(key) <= 1024),
    id uuid not null,
    primary key (project_id, kind, key)
);
create index load_key_id on taisce.load_key (project_id, id);

-- COPY refuses tables with row security, so the stage has none: writers may only insert, rows
-- belong to the transaction that wrote them, and the load that reads them deletes them.
create unlogged table memory_v1.load_stage (
    txid xid8 not null default pg_current_xact_id(),
    line integer not null,
    body jsonb not null
);
create index load_stage_txid on memory_v1.load_stage (txid, line);
comment on table memory_v1.load_stage is
'Lines of the load format on their way in; a writer may only insert, and only load() reads them.';
revoke all on memory_v1.load_stage from public;
grant insert (line, body) on memory_v1.load_stage to taisce_writer;

-- What a load works on, a few thousand lines at a time: lines, spans of messages, the entities that
-- lines refer to, facts.
create type taisce.load_line as (line integer, type text, body jsonb);
create type taisce.load_observation as (
    line integer,
    key text,
    alias text,
    observation_id uuid,
    log_offset bigint,
    digest bytea,
    fresh boolean,
    body jsonb
);
create type taisce.load_entity as (
    line integer,
    key text,
    speaker text,
    name text,
    name_key text,
    normalized text,
    entity_id uuid,
    keeps_name boolean,
    source uuid,
    body jsonb
);
create type taisce.load_span as (
    line integer,
    item integer,
    stance text,
    observation_id uuid,
    ordinal integer,
    byte_start integer,
    byte_end integer,
    claim_id uuid,
    role text,
    log_offset bigint,
    data_subject_id text,
    retention_until timestamptz
);
create type taisce.load_reference as (
    line integer,
    field text,
    given jsonb,
    source uuid,
    speaker text,
    entity_id uuid
);
create type taisce.load_fact as (
    line integer,
    key text,
    subject jsonb,
    object jsonb,
    kind text,
    predicate text,
    value text,
    statement text,
    cardinality text,
    stated_from timestamptz,
    stated_until timestamptz,
    known_from timestamptz,
    confidence double precision,
    source_role text,
    data_subject_id text,
    on_conflict text,
    log_offset bigint,
    source uuid,
    retention_until timestamptz,
    subject_id uuid,
    object_id uuid,
    content_key uuid,
    fact_id uuid,
    fresh boolean,
    apart boolean,
    stamp timestamptz,
    next_fact uuid,
    next_from timestamptz,
    next_stamp timestamptz,
    next_source uuid
);
