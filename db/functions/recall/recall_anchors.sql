-- requires: recall/find_anchors.sql
-- memory_v1.recall_anchors(question, project, data_subject_id)
-- The entities a question names, as recall finds them: exact names only, all of them.
-- Returns: 0 to 257 rows, longest match first, the speaker last.
-- Raises: TS001, TS002, TS003, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.recall_anchor') is null then
        create type memory_v1.recall_anchor as (
            entity_id uuid,
            name text,
            entity_type text,
            matched text
        );
        comment on type memory_v1.recall_anchor is 'An entity that a question named.';
    end if;
end
$do$;

create or replace function memory_v1.recall_anchors(
    question text,
    project text default null,
    data_subject_id text default null
)
returns setof memory_v1.recall_anchor
language plpgsql
stable
parallel safe
security definer
rows 4
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_terms taisce.term_set;
begin
    perform taisce.check_recall_controls(
        recall_anchors.data_subject_id, 1, 1, null, null, null, null, 1, false, null);
    v_terms := taisce.question_terms(
        recall_anchors.question, taisce.setting_integer('recall_terms'));
    return query
    select a.entity_id, a.name, a.entity_type, a.matched
    from unnest(taisce.find_anchors(
        taisce.resolve_project(recall_anchors.project, 'read'),
        v_terms,
        recall_anchors.data_subject_id,
        statement_timestamp()
    )) with ordinality as a (entity_id, name, entity_type, matched, exact, place)
    where cardinality(v_terms.words) > 0
    order by a.place;
end
$func$;
comment on function memory_v1.recall_anchors(text, text, text) is
'The entities a question names, exact names only, longest match first.';
revoke all on function memory_v1.recall_anchors(text, text, text) from public;
grant execute on function memory_v1.recall_anchors(text, text, text)
to taisce_reader, taisce_analyst;
