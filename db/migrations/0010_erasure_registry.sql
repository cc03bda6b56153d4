-- Which table holds what of an observation: the list that erasure walks. A table that keeps
-- project rows and is missing here fails a test.

create table taisce.erasure_registry (
    table_name text primary key,
    depends_on text not null check (depends_on in
        ('observation', 'message', 'claim', 'fact', 'entity', 'subject', 'report', 'offsets',
            'derived', 'kept')),
    key_column text,
    note text not null
);
insert into taisce.erasure_registry (table_name, depends_on, key_column, note) values
('observation', 'observation', 'observation_id', 'becomes an empty tombstone, keeping its offset'),
('message', 'observation', 'observation_id', 'removed'),
('claim', 'observation', 'observation_id', 'removed'),
('entity_mention', 'observation', 'observation_id', 'removed'),
('fact_evidence', 'observation', 'observation_id', 'removed'),
('fact', 'fact', 'fact_id', 'removed when no supporting evidence is left'),
('fact_version', 'observation', 'caused_by', 'removed with its fact; what it caused is undone'),
('entity', 'observation', 'name_source', 'name and profile removed; retired without a name'),
('entity_name', 'observation', 'source_observation_id', 'removed'),
('entity_merge', 'entity', 'absorbed', 'snapshot cleared of what was removed'),
('report_fact', 'fact', 'fact_id', 'removed with the report'),
('report_source', 'observation', 'observation_id', 'removed with the report'),
('report', 'report', 'report_id', 'removed when a fact or source of it goes'),
('segment', 'offsets', 'from_offset', 'removed when its range covers the observation'),
('word_document', 'derived', 'item_id', 'removed with its message, claim, fact or entity'),
('word_due', 'derived', 'item_id', 'removed with the words of its text'),
('posting', 'derived', 'entries', 'the entries of the text removed with it'),
('word_statistics', 'derived', 'term', 'counted down; a term of no document is removed'),
('word_space', 'derived', 'space', 'counted down'),
('embedding', 'derived', 'item_id', 'removed with its message, claim, fact, entity or report'),
('load_key', 'derived', 'id', 'removed with the row that its key stands for'),
('feedback', 'fact', 'fact_id', 'removed with its fact'),
('community', 'entity', 'community_id', 'kept: holds no words'),
('community_member', 'entity', 'entity_id', 'removed with its entity'),
('project', 'kept', null, 'holds no words of an observation'),
('project_grant', 'kept', null, 'holds no words of an observation'),
('project_clock', 'kept', null, 'offsets stay contiguous'),
('predicate', 'kept', null, 'vocabulary declared by the operator'),
('embedding_generation', 'kept', null, 'holds no words of an observation'),
('saved_query', 'kept', null, 'written by analysts'),
('audit_entry', 'kept', null, 'holds no content'),
('rebuild', 'kept', null, 'offsets only');
