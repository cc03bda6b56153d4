-- taisce.split_groups(project_id, groups)
-- Gives facts the contradiction groups they were in before a merge: groups by fact, null for none.
-- What overlaps another value all the same goes on contradicting it.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.split_groups(project_id bigint, groups jsonb)
returns void
language plpgsql
volatile
as $func$
declare
    v_pair record;
begin
    update taisce.fact as f
    set contradiction_group = g.value::uuid
    from jsonb_each_text(split_groups.groups) as g
    where f.project_id = split_groups.project_id
      and f.fact_id = g.key::uuid;

    for v_pair in
        select f.fact_id, o.fact_id as other
        from jsonb_each_text(split_groups.groups) as g
        join taisce.fact as f
            on f.project_id = split_groups.project_id and f.fact_id = g.key::uuid
        join taisce.fact_version as v
            on v.project_id = f.project_id
            and v.fact_id = f.fact_id
            and v.known_to = 'infinity'
            and v.slot
        join taisce.fact_version as o
            on o.project_id = v.project_id
            and o.subject_entity_id = v.subject_entity_id
            and o.predicate = v.predicate
            and o.source_role = v.source_role
            and coalesce(o.data_subject_id, '') = coalesce(v.data_subject_id, '')
            and o.slot
            and not o.contested
            and o.known_to = 'infinity'
            and o.valid_from < v.valid_to
            and o.valid_to > v.valid_from
            and o.fact_id <> v.fact_id
        where g.value is null
    loop
        perform taisce.join_contradiction(
            split_groups.project_id, array[v_pair.fact_id, v_pair.other]);
    end loop;

    update taisce.fact_version as v
    set contested = false
    from jsonb_each_text(split_groups.groups) as g
    join taisce.fact as f
        on f.project_id = split_groups.project_id and f.fact_id = g.key::uuid
    where v.project_id = split_groups.project_id
      and v.fact_id = f.fact_id
      and v.known_to = 'infinity'
      and v.contested
      and f.contradiction_group is null;
end
$func$;
comment on function taisce.split_groups(bigint, jsonb) is
'Gives facts the contradiction groups they were in before a merge.';
revoke all on function taisce.split_groups(bigint, jsonb) from public;
