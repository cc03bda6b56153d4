-- Words: postings in impact order, and the counts that weigh them.

create table taisce.posting (
    project_id bigint not null,
    space text collate "C" not null
        check (space in ('message', 'claim', 'fact', 'entity')),
    term text collate "C" not null,
    impact real not null,
    item_id uuid not null,
    frequency integer not null,
    length integer not null,
    primary key (project_id, space, term, item_id)
);
create index posting_impact on taisce.posting
(project_id, space, term, impact desc) include (item_id, frequency, length);
create index posting_item on taisce.posting (project_id, space, item_id);
alter table taisce.posting set (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Counted in slices, so that writers need not wait for one another; readers sum the slices.
create table taisce.word_statistics (
    project_id bigint not null,
    space text collate "C" not null,
    term text collate "C" not null,
    slice smallint not null,
    documents bigint not null,
    primary key (project_id, space, term, slice)
);
create table taisce.word_space (
    project_id bigint not null,
    space text collate "C" not null,
    slice smallint not null,
    documents bigint not null,
    total_length bigint not null,
    primary key (project_id, space, slice)
);
