-- taisce.load_testimony(project_id, lines, now)
-- Stores a run of observations, entities, claims and facts, cut where their order matters.
-- Returns: counts of what was new.   Raises: TS006, TS007, TS008.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.load_testimony(
    project_id bigint,
    lines taisce.load_line[],
    now timestamptz
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_counts jsonb := '{}';
    v_cuts integer[];
    v_from integer;
    v_to integer;
    v_lines taisce.load_line[];
    v_fresh taisce.load_observation[];
begin
    v_cuts := taisce.load_cuts(load_testimony.lines);
    for v_part in 0..cardinality(v_cuts) loop
        v_from := case when v_part > 0 then v_cuts[v_part] end;
        v_to := case when v_part < cardinality(v_cuts) then v_cuts[v_part + 1] end;
        v_lines := array(
            select l
            from unnest(load_testimony.lines) as l
            where (v_from is null or l.line >= v_from)
              and (v_to is null or l.line < v_to)
            order by l.line
        );
        continue when cardinality(v_lines) = 0;
        v_fresh := taisce.load_observations(
            load_testimony.project_id, v_lines, load_testimony.now);
        if cardinality(v_fresh) > 0 then
            v_counts := taisce.add_counts(v_counts, (
                select jsonb_build_object(
                    'observations', count(*) filter (where f.fresh),
                    'messages', coalesce(sum(
                        jsonb_array_length(f.body -> 'messages')) filter (where f.fresh), 0),
                    'repeated', count(*) filter (where not f.fresh))
                from unnest(v_fresh) as f
            ));
        end if;
        if exists (select from unnest(v_lines) as l where l.type = 'entity') then
            v_counts := taisce.add_counts(v_counts, taisce.load_entities(
                load_testimony.project_id, v_lines, load_testimony.now));
        end if;
        if exists (select from unnest(v_lines) as l where l.type in ('claim', 'fact')) then
            v_counts := taisce.add_counts(v_counts, taisce.load_facts(
                load_testimony.project_id, v_lines, v_fresh, load_testimony.now));
        end if;
    end loop;
    return v_counts;
end
$func$;
comment on function taisce.load_testimony(bigint, taisce.load_line[], timestamptz) is
'Stores a run of observations, entities, claims and facts, cut where their order matters.';
revoke all on function taisce.load_testimony(bigint, taisce.load_line[], timestamptz)
from public;
