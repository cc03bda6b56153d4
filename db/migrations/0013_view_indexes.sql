-- Ways into the tables that only the views need. A version costs a write three more entries, a
-- claim one, a name one; the rest are rare.

-- Versions by either end, live or not: the covering indexes of recall are split in two. With
-- live in the key, what holds now is found without passing all that once held.
create index fact_version_subject_any on taisce.fact_version (project_id, subject_entity_id, live);
create index fact_version_object_any on taisce.fact_version (project_id, object_entity_id, live)
where object_entity_id is not null;
-- Facts by valid time, with an open start as null, as the views show it.
create index fact_version_valid on taisce.fact_version
(project_id, (nullif(valid_from, '-infinity'::timestamptz)));
-- What changed last, in order and without looking at the rows.
-- squawk-ignore require-concurrent-index-deletion
drop index taisce.fact_version_known;
create index fact_version_known on taisce.fact_version (project_id, known_from)
include (fact_id, cause, caused_by, subject_entity_id, retention_until);
create index fact_version_closed on taisce.fact_version (project_id, known_to)
include (fact_id, closed_cause, closed_by, subject_entity_id, retention_until)
where known_to < 'infinity' and closed_cause in ('retracted', 'corrected', 'loaded');
create index claim_ingested on taisce.claim (project_id, ingested_at)
include (claim_id, observation_id, retention_until);
create index entity_merge_at on taisce.entity_merge (project_id, merged_at)
include (absorbed, survivor);
create index entity_merge_reversed on taisce.entity_merge (project_id, reversed_at)
include (absorbed, survivor)
where reversed_at is not null;
-- Names as views show them. Texts keep no statistics, so an index has to hold the project as well,
-- or else a look-up by name is checked against all of the project. By bytes: no collation can
-- change under it. The few names too long for a B-tree are looked through.
create index entity_short_name on taisce.entity (project_id, short_name text_pattern_ops);
create index entity_long_name on taisce.entity (project_id)
where octet_length(canonical_name) > 2600;
create index entity_name_short on taisce.entity_name
(project_id, normalized_name text_pattern_ops)
where octet_length(normalized_name) <= 1024;
