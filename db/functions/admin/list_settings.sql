-- memory_v1.list_settings()
-- The limits of this installation. They hold for every project.
-- Returns: one row a setting, by name.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.setting_item') is null then
        create type memory_v1.setting_item as (
            name text,
            value text,
            kind text,
            lowest text,
            highest text,
            description text
        );
        comment on type memory_v1.setting_item is 'A limit of this installation.';
    end if;
end
$do$;

create or replace function memory_v1.list_settings()
returns setof memory_v1.setting_item
language sql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
    select s.name, s.value, s.kind, s.lowest, s.highest, s.description
    from taisce.setting as s
    order by s.name collate "C"
$func$;
comment on function memory_v1.list_settings() is
'The limits of this installation, with the range each may have.';
revoke all on function memory_v1.list_settings() from public;
grant execute on function memory_v1.list_settings()
to taisce_reader, taisce_analyst, taisce_writer, taisce_admin;
