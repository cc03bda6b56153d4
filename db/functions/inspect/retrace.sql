-- requires: recall/walk.sql
-- taisce.retrace(project_id, question, subject, roles, as_of, as_known_at)
-- The first steps of a recall again, for those who ask how it came about: terms, anchors, scope.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.recall_trace') is null then
        create type taisce.recall_trace as (
            terms taisce.term_set,
            long_names integer,
            anchors taisce.anchor[],
            anchor_ids uuid[],
            roles text[],
            scope taisce.time_scope
        );
    end if;
end
$do$;

create or replace function taisce.retrace(
    project_id bigint,
    question text,
    subject text,
    roles text[],
    as_of timestamptz,
    as_known_at timestamptz
)
returns taisce.recall_trace
language plpgsql
stable
parallel safe
as $func$
declare
    v_limits constant taisce.recall_limits := taisce.recall_settings();
    v_trace taisce.recall_trace;
begin
    v_trace.terms := taisce.question_terms(retrace.question, v_limits.recall_terms);
    v_trace.roles := coalesce(retrace.roles, taisce.default_roles(retrace.project_id));
    v_trace.scope := taisce.time_scope(
        retrace.project_id, retrace.as_of, retrace.as_known_at, v_limits.clock_skew);
    v_trace.long_names := 0;
    v_trace.anchors := '{}';
    if cardinality((v_trace.terms).words) > 0 then
        v_trace.long_names := cardinality((v_trace.terms).heads);
        v_trace.anchors := taisce.find_anchors(
            retrace.project_id, v_trace.terms, retrace.subject, (v_trace.scope).read_at);
    end if;
    v_trace.anchor_ids := array(
        select a.entity_id
        from unnest(v_trace.anchors) with ordinality
            as a (entity_id, name, entity_type, matched, exact, place)
        order by a.place
    );
    return v_trace;
end
$func$;
comment on function taisce.retrace(bigint, text, text, text[], timestamptz, timestamptz) is
'The first steps of a recall again: terms, anchors, scope.';
revoke all on function taisce.retrace(bigint, text, text, text[], timestamptz, timestamptz)
from public;
