-- taisce.read_instant(value, field)
-- An instant as ISO 8601 writes it, with its zone, from a JSON value.
-- Returns: one timestamptz, null for null.
-- Raises: TS005 naming the field.   Runs as: invoker.   Since: 0.1

create or replace function taisce.read_instant(value jsonb, field text)
returns timestamptz
language plpgsql
stable
parallel safe
as $func$
declare
    v_parts text[];
    v_year integer;
    v_month integer;
    v_day integer;
begin
    if coalesce(jsonb_typeof(read_instant.value), 'null') = 'null' then
        return null;
    end if;
    if jsonb_typeof(read_instant.value) = 'string' then
        v_parts := regexp_match(
            read_instant.value #>> '{}',
            '^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?'
            '(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)$');
    end if;
    if v_parts is not null then
        v_year := v_parts[1];
        v_month := v_parts[2];
        v_day := v_parts[3];
        if v_year > 0
            and v_month between 1 and 12
            and v_day between 1 and (case
                when v_month in (4, 6, 9, 11) then 30
                when v_month <> 2 then 31
                when mod(v_year, 400) = 0 or mod(v_year, 4) = 0 and mod(v_year, 100) <> 0 then 29
                else 28
            end)
            and v_parts[4]::integer <= 23
            and v_parts[5]::integer <= 59
            and coalesce(v_parts[6]::integer, 0) <= 59
            and coalesce(v_parts[7]::integer, 0) <= 15
            and coalesce(v_parts[8]::integer, 0) <= 59
        then
            return (read_instant.value #>> '{}')::timestamptz;
        end if;
    end if;
    raise exception using
        errcode = 'TS005',
        message = 'invalid_argument',
        detail = format('%s must be an instant with its zone', read_instant.field),
        hint = 'Write it as in 2024-03-01T00:00:00Z.';
end
$func$;
comment on function taisce.read_instant(jsonb, text) is
'An instant with its zone from a JSON value; TS005 for anything else.';
revoke all on function taisce.read_instant(jsonb, text) from public;
