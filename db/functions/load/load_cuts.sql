-- taisce.load_cuts(lines)
-- Where a run of lines must be cut so that each part may be stored type by type: an entity line
-- that declares a name or key which an earlier line of the same part uses begins a new part.
-- Returns: line numbers in order, empty if the run may stay whole.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.load_cuts(lines taisce.load_line[])
returns integer[]
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_pair record;
    v_start integer := 0;
    v_cuts integer[] := '{}';
begin
    if not exists (select from unnest(load_cuts.lines) as l where l.type = 'entity') then
        return v_cuts;
    end if;

    for v_pair in
        with token as (
            select l.line, true as declares, t.token
            from unnest(load_cuts.lines) as l
            cross join lateral (
                select 'name ' || taisce.normalize_name(l.body ->> 'name') as token
                union all
                select 'key ' || (l.body ->> 'key')
                union all
                select 'speaker ' || (l.body ->> 'speaker_of')
            ) as t
            where l.type = 'entity'
              and t.token is not null
            union all
            select l.line, null, 'name ' || taisce.normalize_name(a.value)
            from unnest(load_cuts.lines) as l
            cross join lateral jsonb_array_elements_text(
                coalesce(nullif(l.body -> 'aliases', 'null'), '[]')) as a
            where l.type = 'entity'
            union all
            select u.line, false,
                case when jsonb_typeof(u.given) = 'string'
                    then 'name ' || taisce.normalize_name(u.given #>> '{}')
                    else 'key ' || (u.given ->> 'key') end
            from (
                select l.line, e.given
                from unnest(load_cuts.lines) as l
                cross join lateral (
                    values (l.body -> 'subject'), (l.body -> 'object')
                ) as e (given)
                where l.type = 'fact'
                union all
                select l.line, m.value
                from unnest(load_cuts.lines) as l
                cross join lateral jsonb_array_elements(
                    coalesce(nullif(l.body -> 'mentions', 'null'), '[]')) as m
                where l.type = 'claim'
            ) as u
            where u.given ->> 'key' is not null
               or jsonb_typeof(u.given) = 'string'
        )
        -- An alias (declares is null) may be declared twice, but not after it was used.
        select p.line, max(p.before) as before
        from (
            select t.line, t.declares,
                case when t.declares is null
                    then max(case when not t.declares then t.line end) over w
                    else max(t.line) filter (where t.declares is not null) over w
                end as before
            from token as t
            window w as (
                partition by t.token order by t.line
                range between unbounded preceding and 1 preceding
            )
        ) as p
        where p.before is not null
          and p.declares is distinct from false
        group by p.line
        order by p.line
    loop
        if v_pair.before >= v_start then
            v_start := v_pair.line;
            v_cuts := v_cuts || v_start;
        end if;
    end loop;
    return v_cuts;
end
$func$;
comment on function taisce.load_cuts(taisce.load_line[]) is
'Where a run of lines must be cut so that each part may be stored type by type.';
revoke all on function taisce.load_cuts(taisce.load_line[]) from public;
