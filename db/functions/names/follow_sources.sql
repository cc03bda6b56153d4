-- taisce.follow_name_source(), taisce.follow_spelling_source(), taisce.follow_name_sources(),
-- taisce.follow_spelling_sources()
-- Keep beside a name until when its source may be read, so that reads compare one column. A source
-- does not change its retention; a declared name has no source and is kept. Names that come
-- together are looked at together: few have a source that passes.
-- Runs as: row triggers of updates and statement triggers of inserts, as who writes.   Since: 0.1

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

create or replace function taisce.follow_name_sources()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_nestloop = on
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $func$
declare
    v_project_ids bigint[];
    v_entity_ids uuid[];
    v_until timestamptz[];
begin
    select array_agg(n.project_id), array_agg(n.entity_id), array_agg(s.retention_until)
    into v_project_ids, v_entity_ids, v_until
    from new_rows as n
    cross join lateral (
        select o.retention_until
        from taisce.observation as o
        where o.project_id = n.project_id
          and o.observation_id between n.name_source and n.name_source
        order by o.observation_id
        limit 1
    ) as s
    where s.retention_until <> n.name_until;
    if v_entity_ids is not null then
        update taisce.entity as e
        set name_until = k.name_until
        from unnest(v_project_ids, v_entity_ids, v_until) as k (project_id, entity_id, name_until)
        where e.project_id = k.project_id
          and e.entity_id = k.entity_id;
    end if;
    return null;
end
$func$;
comment on function taisce.follow_name_sources() is
'Keeps until when the sources of new canonical names may be read.';
revoke all on function taisce.follow_name_sources() from public;

create or replace function taisce.follow_spelling_sources()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_nestloop = on
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $func$
declare
    v_project_ids bigint[];
    v_name_keys text[];
    v_entity_ids uuid[];
    v_until timestamptz[];
begin
    select array_agg(n.project_id), array_agg(n.name_key), array_agg(n.entity_id),
        array_agg(s.retention_until)
    into v_project_ids, v_name_keys, v_entity_ids, v_until
    from new_rows as n
    cross join lateral (
        select o.retention_until
        from taisce.observation as o
        where o.project_id = n.project_id
          and o.observation_id between n.source_observation_id and n.source_observation_id
        order by o.observation_id
        limit 1
    ) as s
    where s.retention_until <> n.kept_until;
    if v_entity_ids is not null then
        update taisce.entity_name as e
        set kept_until = k.kept_until
        from unnest(v_project_ids, v_name_keys, v_entity_ids, v_until)
            as k (project_id, name_key, entity_id, kept_until)
        where e.project_id = k.project_id
          and e.name_key = k.name_key
          and e.entity_id = k.entity_id;
    end if;
    return null;
end
$func$;
comment on function taisce.follow_spelling_sources() is
'Keeps until when the sources of new names may be read.';
revoke all on function taisce.follow_spelling_sources() from public;

create or replace trigger source_followed before update of name_source on taisce.entity
for each row execute function taisce.follow_name_source();
create or replace trigger source_followed before update of source_observation_id
on taisce.entity_name
for each row execute function taisce.follow_spelling_source();
create or replace trigger sources_followed after insert on taisce.entity
referencing new table as new_rows
for each statement execute function taisce.follow_name_sources();
create or replace trigger sources_followed after insert on taisce.entity_name
referencing new table as new_rows
for each statement execute function taisce.follow_spelling_sources();
