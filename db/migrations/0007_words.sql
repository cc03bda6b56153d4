-- Words: what each text says in words, postings of each word in the order of their impact, and the
-- counts that weigh them. Triggers keep all of it in step with the texts themselves.

-- One row a text: its words, weighted by field, and what is needed to take them back. number orders
-- messages as they were told (log_offset << 16 | ordinal); of other texts it is cut from their id.
create table taisce.word_document (
    project_id bigint not null,
    space text collate "C" not null
        check (space in ('message', 'claim', 'fact', 'entity')),
    number bigint not null,
    item_id uuid not null,
    role text collate "C" not null,
    data_subject_id text collate "C",
    speaker text collate "C",
    batch bigint not null,
    slice smallint not null,
    reference real not null,
    length real not null,
    terms text[] collate "C" not null,
    frequencies real[] not null,
    primary key (project_id, space, number, item_id)
);
comment on column taisce.word_document.length is
'Sum of the weighted frequencies, without what only describes the text, as its date.';
comment on column taisce.word_document.speaker is
'Of a message that begins "Name: ", that name, normalised.';
comment on column taisce.word_document.reference is
'Reference length of the project when the postings were written: their band follows from it.';
create index word_document_subject on taisce.word_document
(project_id, space, data_subject_id, number)
where data_subject_id is not null;
alter table taisce.word_document set (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Up to 64 texts that have a word, of one role and band (0 the strongest) and written together.
-- An entry is number << 8 | impact; the index holds all, so that a read never leaves it.
create table taisce.posting (
    project_id bigint not null,
    space text collate "C" not null,
    role text collate "C" not null,
    term text collate "C" not null,
    band smallint not null,
    batch bigint not null,
    part integer not null,
    entries bigint[] not null,
    primary key (project_id, space, role, term, band, batch, part) include (entries)
);
alter table taisce.posting set (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_scale_factor = 0.05
);
create sequence taisce.word_batch owned by taisce.posting.batch;

-- Texts whose words may not be read for ever: from kept_until on, reads take them out of the index
-- and of the counts themselves, until expire() has. Facts and entities are here for their names
-- too. Terms and length are those of word_document, so that what is due is read in one go.
create table taisce.word_due (
    project_id bigint not null,
    space text collate "C" not null,
    item_id uuid not null,
    kept_until timestamptz not null,
    length real not null,
    terms text[] collate "C" not null,
    -- Item first: else it would look as good a way to a project's as the index below.
    primary key (item_id, project_id, space)
);
create index word_due_until on taisce.word_due (project_id, space, kept_until);
alter table taisce.word_due set (autovacuum_vacuum_insert_scale_factor = 0.05);

-- Counted in slices, so that writers need not wait for one another; readers sum the slices.
create table taisce.word_statistics (
    project_id bigint not null,
    space text collate "C" not null,
    term text collate "C" not null,
    slice smallint not null,
    documents bigint not null,
    primary key (project_id, space, term, slice) include (documents)
);
-- The count is in the index, so no update stays within its page: vacuum has to come soon.
alter table taisce.word_statistics set (
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_insert_scale_factor = 0.05
);
create table taisce.word_space (
    project_id bigint not null,
    space text collate "C" not null,
    slice smallint not null,
    documents bigint not null,
    total_length double precision not null,
    primary key (project_id, space, slice)
);
alter table taisce.word_space set (fillfactor = 50);

insert into taisce.setting (name, value, kind, lowest, highest, description) values
('passage_weight_next', '0.4', 'number', '0', '10',
    'Weight of a word in the messages next to a passage, beside 1 for its own.'),
('passage_weight_second', '0.25', 'number', '0', '10',
    'Weight of a word in the messages next but one to a passage.'),
('passage_weight_fact', '0.8', 'number', '0', '10',
    'Weight of a word in a fact whose evidence a passage is; of nearness, both ways.'),
('passage_weight_speaker', '0.07', 'number', '0', '10',
    'Bonus of a passage said by somebody the question names, as a share of all its words.'),
('passage_weight_observation', '0.3', 'number', '0', '10',
    'Weight of the best three passages of the same observation.'),
('passage_saturation', '0.5', 'number', '0.01', '100',
    'How soon a word counts in full: at this weight it counts half.');
