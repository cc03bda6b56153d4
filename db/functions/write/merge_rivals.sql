-- taisce.merge_rivals(project_id, absorbed, survivor)
-- Pairs of facts that would meet in one place if two entities were one: of one predicate that holds
-- one value at a time, overlapping, and either of the same role and subject or of different values.
-- Returns: a list of pairs of fact ids.   Runs as: invoker.   Since: 0.1

create or replace function taisce.merge_rivals(project_id bigint, absorbed uuid, survivor uuid)
returns jsonb
language sql
stable
as $func$
    select coalesce(jsonb_agg(jsonb_build_array(a.fact_id, s.fact_id)), '[]')
    from (
        select v.*
        from taisce.fact_version as v
        where v.project_id = merge_rivals.project_id
          and v.subject_entity_id between merge_rivals.absorbed and merge_rivals.absorbed
          and v.slot
          and v.known_to = 'infinity'
        order by v.subject_entity_id, v.predicate
        offset 0
    ) as a
    cross join lateral (
        select v.fact_id
        from taisce.fact_version as v
        where v.project_id = merge_rivals.project_id
          and v.subject_entity_id between merge_rivals.survivor and merge_rivals.survivor
          and v.predicate between a.predicate and a.predicate
          and v.slot
          and v.known_to = 'infinity'
          and v.valid_from < a.valid_to
          and v.valid_to > a.valid_from
          and (
            v.source_role = a.source_role
                and coalesce(v.data_subject_id, '') = coalesce(a.data_subject_id, '')
            or (
                select true
                from taisce.fact as f
                where f.project_id = merge_rivals.project_id
                  and f.fact_id = any (array[v.fact_id, a.fact_id])
                -- As they will be: what named the absorbed entity names the survivor.
                having count(distinct (
                    case
                        when f.object_entity_id = merge_rivals.absorbed
                            then merge_rivals.survivor
                        else f.object_entity_id
                    end,
                    f.object_value
                )) > 1
            )
          )
        order by v.subject_entity_id, v.predicate
        offset 0
    ) as s
$func$;
comment on function taisce.merge_rivals(bigint, uuid, uuid) is
'Pairs of facts that would meet in one place if two entities were one.';
revoke all on function taisce.merge_rivals(bigint, uuid, uuid) from public;
