-- taisce.setting_integer(name)
-- Returns: the value of an integer setting.   Runs as: invoker.   Since: 0.1

create or replace function taisce.setting_integer(name text)
returns integer
language sql
stable
parallel safe
as $func$
    select s.value::integer from taisce.setting as s where s.name = setting_integer.name
$func$;
comment on function taisce.setting_integer(text) is 'The value of an integer setting.';
revoke all on function taisce.setting_integer(text) from public;
