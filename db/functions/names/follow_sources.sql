-- taisce.follow_name_source(), taisce.follow_spelling_source()
-- Keep beside a name until when its source may be read, so that reads compare one column. A source
-- does not change its retention; a declared name has no source and is kept.
-- Runs as: row triggers, as who writes.   Since: 0.1

create or replace function taisce.follow_name_source()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $func$
begin
    select o.retention_until
    into new.name_until
    from taisce.observation as o
    where o.project_id = new.project_id
      and o.observation_id = new.name_source;
    new.name_until := coalesce(new.name_until, 'infinity');
    return new;
end
$func$;
comment on function taisce.follow_name_source() is
'Keeps until when the source of a canonical name may be read.';
revoke all on function taisce.follow_name_source() from public;

create or replace function taisce.follow_spelling_source()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $func$
begin
    select o.retention_until
    into new.kept_until
    from taisce.observation as o
    where o.project_id = new.project_id
      and o.observation_id = new.source_observation_id;
    new.kept_until := coalesce(new.kept_until, 'infinity');
    return new;
end
$func$;
comment on function taisce.follow_spelling_source() is
'Keeps until when the source of a name may be read.';
revoke all on function taisce.follow_spelling_source() from public;

create or replace trigger source_followed before insert or update of name_source on taisce.entity
for each row execute function taisce.follow_name_source();
create or replace trigger source_followed before insert or update of source_observation_id
on taisce.entity_name
for each row execute function taisce.follow_spelling_source();
