-- memory_v1.mark_contradiction(fact_ids, project)
-- Says that facts contradict each other: they, and all that contradict one of them already, are one
-- group, shown together and exempt from the rule that values of one thing do not overlap.
-- Returns: one row.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.marked_contradiction') is null then
        create type memory_v1.marked_contradiction as (
            contradiction_group uuid, facts bigint, repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.marked_contradiction is
'A group of facts that contradict each other.';

create or replace function memory_v1.mark_contradiction(fact_ids uuid[], project text default null)
returns setof memory_v1.marked_contradiction
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(mark_contradiction.project);
    v_count constant integer := coalesce(cardinality(mark_contradiction.fact_ids), 0);
    v_fact_ids uuid[];
    v_group uuid;
    v_counts jsonb;
begin
    if v_count > 1000 or array_ndims(mark_contradiction.fact_ids) > 1
        or array_position(mark_contradiction.fact_ids, null) is not null
    then
        perform taisce.refuse_argument('fact_ids', 'must be a plain list of 2 to 1000 ids');
    end if;
    v_fact_ids := array(
        select (taisce.known_fact(v_project_id, i)).fact_id
        from unnest(mark_contradiction.fact_ids) as i
    );
    v_counts := taisce.write_line(
        v_project_id,
        jsonb_build_object('type', 'contradiction', 'facts', (
            select coalesce(jsonb_agg(jsonb_build_object('id', i)), '[]')
            from unnest(v_fact_ids) as i
        )),
        '{"facts": "fact_ids"}');

    select f.contradiction_group
    into strict v_group
    from taisce.fact as f
    where f.project_id = v_project_id
      and f.fact_id = v_fact_ids[1];
    return query
    select v_group, count(*), (v_counts ->> 'contradictions')::bigint = 0
    from taisce.fact as f
    where f.project_id = v_project_id
      and f.contradiction_group = v_group;
end
$func$;
comment on function memory_v1.mark_contradiction(uuid[], text) is
'Say that facts contradict each other; they are shown together from then on.';
revoke all on function memory_v1.mark_contradiction(uuid[], text) from public;
grant execute on function memory_v1.mark_contradiction(uuid[], text) to taisce_writer;
