-- Where past reads need not look: for entities with many versions, one row a block of them in fact
-- order, with the furthest reach of their times; those in service and those that are past have
-- blocks of their own, like indexes. A block may claim too much, never too little: what is written
-- later into its range widens it.

create table taisce.version_block (
    project_id bigint not null references taisce.project (project_id),
    entity_id uuid not null,
    direction text collate "C" not null check (direction in ('subject', 'object')),
    data_subject_id text collate "C" not null,
    source_role text collate "C" not null,
    live boolean not null,
    last_fact uuid not null,
    after_fact uuid not null,
    valid_from_min timestamptz not null,
    valid_to_max timestamptz not null,
    known_from_min timestamptz not null,
    known_to_max timestamptz not null,
    either_to_max timestamptz not null,
    believed_to_max timestamptz not null,
    primary key (
        project_id, entity_id, direction, data_subject_id, source_role, live, last_fact)
    include (after_fact, valid_from_min, valid_to_max, known_from_min, known_to_max, either_to_max,
        believed_to_max)
);
comment on column taisce.version_block.data_subject_id is
'Empty: the versions of all data subjects together.';
comment on column taisce.version_block.either_to_max is
'Latest instant at which a version still held and was still believed.';
comment on column taisce.version_block.believed_to_max is
'Latest valid_to of the versions that are believed today.';
insert into taisce.erasure_registry (table_name, depends_on, key_column, note) values
('version_block', 'derived', 'last_fact', 'holds ids and instants only; may claim too much');
