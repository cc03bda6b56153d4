-- memory_v1.ready(package_version)
-- Whether this memory is installed and, if a package names its version, is of a version which that
-- package knows: the same major number, and the same minor one before 1.0.
-- Returns: one boolean.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.ready(package_version text default null)
returns boolean
language sql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
    select exists (
        select
        from (
            select l.package_version
            from taisce.ledger as l
            order by l.applied_at desc, l.package_version desc
            limit 1
        ) as i
        where ready.package_version is null
           or substring(i.package_version from '^0\.\d+|^\d+')
            = substring(ready.package_version from '^0\.\d+|^\d+')
    )
$func$;
comment on function memory_v1.ready(text) is
'Whether this memory is installed, and of a version that the package named knows.';
revoke all on function memory_v1.ready(text) from public;
grant execute on function memory_v1.ready(text)
to taisce_reader, taisce_analyst, taisce_writer, taisce_admin;
