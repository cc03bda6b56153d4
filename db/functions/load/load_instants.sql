-- taisce.load_instants(lines)
-- Returns: the instants that lines give, as text, in no order.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.load_instant') is null then
        create type taisce.load_instant as (line integer, field text, value text);
    end if;
end
$do$;

create or replace function taisce.load_instants(lines taisce.load_line[])
returns setof taisce.load_instant
language sql
stable
as $func$
    select l.line, f.field, l.body ->> f.field
    from unnest(load_instants.lines) as l
    join taisce.load_fields() as f on f.type = l.type and f.kind = 'instant'
    where l.body ->> f.field is not null
    union all
    select l.line, 'messages[' || m.ordinality - 1 || '].occurred_at', m.value ->> 'occurred_at'
    from unnest(load_instants.lines) as l
    cross join lateral jsonb_array_elements(l.body -> 'messages') with ordinality as m
    where l.type = 'observation'
      and m.value ->> 'occurred_at' is not null
$func$;
comment on function taisce.load_instants(taisce.load_line[]) is
'The instants that lines give, as text.';
revoke all on function taisce.load_instants(taisce.load_line[]) from public;
