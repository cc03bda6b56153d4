-- taisce.group_sides(project_id, group_ids, roles, subject, scope)
-- The sides of contradictions that a read may see: facts of the group within roles, subject and
-- time that have words to show.
-- Returns: one row a side, by group and fact.   Runs as: invoker.   Since: 0.1

create or replace function taisce.group_sides(
    project_id bigint,
    group_ids uuid[],
    roles text[],
    subject text,
    scope taisce.time_scope
)
returns table (
    group_id uuid,
    fact_id uuid,
    fact_kind text,
    statement text,
    valid_from timestamptz,
    valid_to timestamptz,
    known_from timestamptz,
    known_to timestamptz,
    evidence_count integer
)
language plpgsql
stable
parallel safe
rows 4
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_read_at constant timestamptz := statement_timestamp();
begin
    return query
    select
        g.group_id, f.fact_id, f.kind, f.statement, v.valid_from, v.valid_to, v.known_from,
        v.known_to, e.total::integer
    from (
        select distinct i.group_id from unnest(group_sides.group_ids) as i (group_id)
    ) as g
    cross join lateral (
        select i.fact_id, i.kind, i.statement
        from taisce.fact as i
        where i.project_id = group_sides.project_id
          and i.contradiction_group between g.group_id and g.group_id
          and i.contradiction_group is not null
          and i.source_role = any (group_sides.roles)
          and (group_sides.subject is null or i.data_subject_id = group_sides.subject)
          and i.retention_until > v_read_at
        order by i.contradiction_group, i.fact_id
    ) as f
    cross join lateral (
        select i.valid_from, i.valid_to, i.known_from, i.known_to
        from taisce.fact_version as i
        where i.project_id = group_sides.project_id
          and i.fact_id between f.fact_id and f.fact_id
          and i.known_from <= group_sides.scope.known_from_max
          and i.known_to >= group_sides.scope.known_to_min
          and i.valid_from <= group_sides.scope.valid_from_max
          and i.valid_to >= case when i.replaced then group_sides.scope.replaced_to_min
            else group_sides.scope.valid_to_min end
        order by i.fact_id
        limit 1
    ) as v
    cross join lateral (
        select count(*) as total
        from taisce.fact_evidence as i
        where i.project_id = group_sides.project_id
          and i.fact_id between f.fact_id and f.fact_id
          and i.stance = 'supports'
          and i.role = any (group_sides.roles)
          and (group_sides.subject is null or i.data_subject_id = group_sides.subject)
          and i.retention_until > v_read_at
          and i.linked_at <= group_sides.scope.linked_max
    ) as e
    where e.total > 0
    order by g.group_id, f.fact_id;
end
$func$;
comment on function taisce.group_sides(bigint, uuid[], text[], text, taisce.time_scope) is
'The sides of contradictions that a read may see.';
revoke all on function taisce.group_sides(bigint, uuid[], text[], text, taisce.time_scope)
from public;
