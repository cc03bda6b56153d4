-- taisce.setting_interval(name)
-- Returns: the value of an interval setting.   Runs as: invoker.   Since: 0.1

create or replace function taisce.setting_interval(name text)
returns interval
language sql
stable
parallel safe
as $func$
    select s.value::interval from taisce.setting as s where s.name = setting_interval.name
$func$;
comment on function taisce.setting_interval(text) is 'The value of an interval setting.';
revoke all on function taisce.setting_interval(text) from public;
