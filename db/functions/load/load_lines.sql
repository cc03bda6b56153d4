-- taisce.load_lines(project_id, lines, admin, now)
-- Applies some lines in order. Observations, entities, claims and facts that follow each other are
-- stored together, type by type, wherever that comes to the same.
-- Returns: counts of what was new.   Raises: TS006, TS007, TS008.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.load_lines(
    project_id bigint,
    lines taisce.load_line[],
    admin boolean,
    now timestamptz
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_counts jsonb := jsonb_build_object('lines', cardinality(lines));
    v_run record;
    v_lines taisce.load_line[];
    v_line integer;
begin
    perform taisce.check_load_lines(load_lines.lines, load_lines.admin);
    select l.line
    into v_line
    from unnest(load_lines.lines) as l
    group by l.line
    having count(*) > 1
    order by l.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_line, null, 'stands in the stage twice');
    end if;

    for v_run in
        with placed as (
            select l.type, l.place,
                case
                    when l.type in ('observation', 'entity', 'claim', 'fact') then 'testimony'
                    when l.type = 'predicate' then 'predicate'
                    else 'event ' || l.place
                end as class
            from unnest(load_lines.lines) with ordinality as l (line, type, body, place)
        ),
        marked as (
            select p.*, p.class is distinct from lag(p.class) over (order by p.place) as begins
            from placed as p
        ),
        counted as (
            select m.*, count(*) filter (where m.begins) over (order by m.place) as run
            from marked as m
        )
        select c.class, min(c.place) as first, max(c.place) as last
        from counted as c
        group by c.run, c.class
        order by c.run
    loop
        v_lines := load_lines.lines[v_run.first:v_run.last];
        v_counts := taisce.add_counts(v_counts, case
            when v_run.class = 'testimony' then taisce.load_testimony(
                load_lines.project_id, v_lines, load_lines.now)
            when v_run.class = 'predicate' then taisce.load_predicates(
                load_lines.project_id, v_lines)
            else taisce.load_event(load_lines.project_id, v_lines[1], load_lines.now)
        end);
    end loop;
    return v_counts;
end
$func$;
comment on function taisce.load_lines(bigint, taisce.load_line[], boolean, timestamptz) is
'Applies some lines of the load format in order.';
revoke all on function taisce.load_lines(bigint, taisce.load_line[], boolean, timestamptz)
from public;
