-- taisce.check_load_lines(lines, admin)
-- Refuses the first line that is not of the load format: an unknown type or field, a field missing,
-- of the wrong kind, or for administrators only.
-- Returns: nothing.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_load_lines(lines taisce.load_line[], admin boolean)
returns void
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_bad record;
begin
    select l.line, case when l.type is null then 'is not an object with a type'
        else 'is not a type of line' end as reason
    into v_bad
    from unnest(check_load_lines.lines) as l
    where not exists (
        select from taisce.load_fields() as f where f.type = l.type
            and f.type not in ('message', 'evidence'))
    order by l.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, 'type', v_bad.reason);
    end if;

    with item as materialized (
        select l.line, l.type, ''::text as place, l.body
        from unnest(check_load_lines.lines) as l
        union all
        select l.line, 'message', 'messages[' || e.ordinality - 1 || '].', e.value
        from unnest(check_load_lines.lines) as l
        cross join lateral jsonb_array_elements(
            case when jsonb_typeof(l.body -> 'messages') = 'array'
                then l.body -> 'messages' else '[]' end) with ordinality as e
        where l.type = 'observation'
        union all
        select l.line, 'evidence', 'evidence[' || e.ordinality - 1 || '].', e.value
        from unnest(check_load_lines.lines) as l
        cross join lateral jsonb_array_elements(
            case when jsonb_typeof(l.body -> 'evidence') = 'array'
                then l.body -> 'evidence' else '[]' end) with ordinality as e
        where l.type = 'fact'
    ),
    given as (
        select i.line, i.place, b.key as field, f.kind, f.admin, b.value,
            i.type = 'observation' and b.key = 'kind' and b.value = '"curated"' as curated
        from item as i
        cross join lateral jsonb_each(
            case when jsonb_typeof(i.body) = 'object' then i.body else '{}' end) as b
        left join taisce.load_fields() as f on f.type = i.type and f.field = b.key
    ),
    fault as (
        select g.line, g.place || g.field as field,
            case
                when g.kind is null then 'is not a field of this type of line'
                when g.admin and not check_load_lines.admin then 'needs admin access'
                when g.curated and not check_load_lines.admin
                    then 'needs admin access: only an administrator writes curated texts'
                else taisce.load_value_fault(g.kind, g.value)
            end as reason
        from given as g
        where case
            when g.kind is null
                or (g.admin or g.curated) and not check_load_lines.admin then true
            -- What is plainly right need not be looked at closely.
            when g.kind = 'any' or jsonb_typeof(g.value) = 'null' then false
            when g.kind in (
                'words', 'label', 'predicate', 'name', 'spelling', 'entity', 'thing')
            then
                jsonb_typeof(g.value) <> 'string'
                or octet_length(g.value #>> '{}') > 256
                or (g.value #>> '{}') !~ '[0-9A-Za-z]'
            when g.kind = 'instant' then
                jsonb_typeof(g.value) <> 'string'
                or (g.value #>> '{}') !~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$'
            when g.kind = 'list' then
                jsonb_typeof(g.value) <> 'array' or g.value = '[]'
            when g.kind = 'boolean' then jsonb_typeof(g.value) <> 'boolean'
            else strpos('|' || g.kind || '|', '|' || (g.value #>> '{}') || '|') = 0
                or jsonb_typeof(g.value) <> 'string'
        end
        union all
        select i.line, i.place || f.field, 'is missing'
        from item as i
        join taisce.load_fields() as f on f.type = i.type and f.required
        where i.body ->> f.field is null
          and jsonb_typeof(i.body) = 'object'
        union all
        select i.line, rtrim(i.place, '.'), 'must be an object'
        from item as i
        where jsonb_typeof(i.body) <> 'object'
    )
    select f.line, f.field, f.reason
    into v_bad
    from fault as f
    where f.reason is not null
    order by f.line, f.field
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line,
            case when v_bad.field ~ '^[a-z_]+(\[\d+\])?(\.[a-z_]+)?$' then v_bad.field end,
            v_bad.reason);
    end if;

    -- There may be no such day.
    begin
        perform max(i.value::timestamptz)
        from taisce.load_instants(check_load_lines.lines) as i;
    exception
        when data_exception then
            for v_bad in
                select i.line, i.field, i.value
                from taisce.load_instants(check_load_lines.lines) as i
                order by i.line
            loop
                begin
                    perform v_bad.value::timestamptz;
                exception
                    when data_exception then
                        perform taisce.refuse_line(v_bad.line, v_bad.field, 'is not an instant');
                end;
            end loop;
    end;
end
$func$;
comment on function taisce.check_load_lines(taisce.load_line[], boolean) is
'Refuses the first line that is not of the load format.';
revoke all on function taisce.check_load_lines(taisce.load_line[], boolean) from public;
