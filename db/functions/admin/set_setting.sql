-- memory_v1.set_setting(name, value)
-- Changes one limit of this installation, for every project, from the next statement on.
-- Returns: the value as kept.   Raises: TS005.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.set_setting(name text, value text)
returns text
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_setting taisce.setting;
    v_fits boolean;
    v_value text := btrim(set_setting.value);
begin
    select s.*
    into v_setting
    from taisce.setting as s
    where s.name = set_setting.name;
    if v_setting.name is null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'name: there is no such setting',
            hint = 'List them with memory_v1.list_settings().';
    end if;
    begin
        case v_setting.kind
            when 'integer' then
                v_value := v_value::integer::text;
                v_fits := v_value::integer
                    between coalesce(v_setting.lowest::integer, -2147483648)
                    and coalesce(v_setting.highest::integer, 2147483647);
            when 'number' then
                v_fits := v_value::numeric
                    between coalesce(v_setting.lowest::numeric, '-infinity')
                    and coalesce(v_setting.highest::numeric, 'infinity')
                    and v_value::numeric <> 'NaN';
            when 'interval' then
                v_fits := v_value::interval >= coalesce(v_setting.lowest, v_value)::interval
                    and v_value::interval <= coalesce(v_setting.highest, v_value)::interval;
            when 'boolean' then
                v_value := v_value::boolean::text;
                v_fits := true;
            else
                v_fits := case v_setting.name
                    when 'audit' then v_value in ('off', 'log')
                    when 'sandbox_tiers' then jsonb_typeof(v_value::jsonb) = 'object'
                    else octet_length(v_value) <= 65536
                end;
        end case;
    exception
        when data_exception then
            v_fits := false;
    end;
    if v_fits is not true then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('value: %s is of kind %s%s', v_setting.name, v_setting.kind,
                case when v_setting.lowest is not null
                    then format(', from %s to %s', v_setting.lowest, v_setting.highest) end),
            hint = v_setting.description;
    end if;
    update taisce.setting as s
    set value = v_value
    where s.name = v_setting.name;
    return v_value;
end
$func$;
comment on function memory_v1.set_setting(text, text) is
'Change one limit of this installation, for every project; returns the value as kept.';
revoke all on function memory_v1.set_setting(text, text) from public;
grant execute on function memory_v1.set_setting(text, text) to taisce_admin;
