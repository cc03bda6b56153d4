-- Projects, who may use them, their clocks, and the limits of this installation.

create table taisce.project (
    project_id bigint primary key,
    name text not null unique
        check (name ~ '\S' and octet_length(name) <= 256),
    status text not null default 'active' check (status in ('active', 'suspended')),
    default_source_roles text[] not null default array['user'],
    word_configuration text not null default 'english',
    reference_length real not null default 30,
    created_at timestamptz not null default now(),
    constraint project_roles_known check (
        cardinality(default_source_roles) between 1 and 5
        and default_source_roles <@ array['user', 'assistant', 'system', 'tool', 'document']
    )
);
create sequence taisce.project_number owned by taisce.project.project_id;

-- A superuser needs a row here like anybody: RLS asks this table and nothing else.
create table taisce.project_grant (
    project_id bigint not null,
    grantee oid not null,
    access text not null check (access in ('read', 'write', 'admin')),
    suspended boolean not null default false,
    granted_at timestamptz not null default now(),
    primary key (project_id, grantee),
    foreign key (project_id) references taisce.project (project_id)
    on delete cascade deferrable initially deferred
);
create index project_grant_grantee on taisce.project_grant (grantee);

-- One row a project: its lock serialises knowledge, its numbers answer freshness at once.
create table taisce.project_clock (
    project_id bigint primary key references taisce.project (project_id)
    on delete cascade deferrable initially deferred,
    last_stamp timestamptz not null default '-infinity',
    stored bigint not null default 0,
    formed bigint not null default 0,
    parked bigint not null default 0
);
alter table taisce.project_clock set (fillfactor = 50);

create table taisce.setting (
    name text primary key,
    value text not null,
    kind text not null check (kind in ('integer', 'interval', 'boolean', 'text', 'number')),
    lowest text,
    highest text,
    description text not null
);
insert into taisce.setting (name, value, kind, lowest, highest, description) values
('bundle_characters', '16000', 'integer', '1', '10000000',
    'Most characters (Unicode code points) a recall may return; also its default.'),
('recall_terms', '512', 'integer', '1', '4096',
    'Most candidate names a question may be cut into.'),
('clock_skew', '5 minutes', 'interval', '0', '1 day',
    'How far a client clock may run ahead before a current read takes notice.'),
('admission_slots', '0', 'integer', '0', '10000',
    'Calls a client lets through at once; 0 switches the gate off.'),
('audit', 'off', 'text', null, null,
    'off, or log: read functions write one line without content to the server log.'),
('passage_weight_vectors', '0.3', 'number', '0', '1',
    'Weight of vector scores beside word scores when both exist.'),
('sandbox_tiers',
    '{"interactive": {"seconds": 5, "rows": 200, "bytes": 1048576, "work_mem_mb": 16},'
    ' "analytical": {"seconds": 60, "rows": 10000, "bytes": 67108864, "work_mem_mb": 64}}',
    'text', null, null, 'Limits of open SQL by tier.'),
('sandbox_analytical_roles', '', 'text', null, null,
    'Role names, separated by commas, that run open SQL in the analytical tier.');

-- Grants nothing until the repeatable function of the same name replaces it.
create function taisce.granted_projects(access text default 'read')
returns bigint[] language sql stable security definer
set search_path = pg_catalog, pg_temp
as $func$ select '{}'::bigint[] $func$;
revoke all on function taisce.granted_projects(text) from public;
