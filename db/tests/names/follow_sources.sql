-- taisce.follow_name_source(s), follow_spelling_source(s): a name is kept as long as its source.
begin;
select plan(14);

-- Given
create function pg_temp.id(n integer) returns uuid language sql as $$
    select lpad(n::text, 32, '0')::uuid
$$;
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
insert into taisce.observation (project_id, observation_id, log_offset, kind, source_role,
    ingested_at, lineage, message_count, characters, retention_until)
values
(9001, pg_temp.id(1), 1, 'turn', 'user', now(), '', 0, 0, '2090-01-01Z'),
(9001, pg_temp.id(2), 2, 'turn', 'user', now(), '', 0, 0, '2095-01-01Z'),
(9001, pg_temp.id(3), 3, 'turn', 'user', now(), '', 0, 0, 'infinity'),
(9002, pg_temp.id(1), 1, 'turn', 'user', now(), '', 0, 0, '2080-01-01Z');
insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name, status,
    first_seen_at, name_source)
select 9001, pg_temp.id(10 + n), 'named', 'name ' || n, 'active', now(),
    case when n > 0 then pg_temp.id(n) end
from generate_series(0, 4) as n;
insert into taisce.entity_name (project_id, name_key, entity_id, normalized_name, spelling, kind,
    words, source_observation_id)
select 9001, 'name ' || n, pg_temp.id(10 + n), 'name ' || n, 'name ' || n, 'canonical', 2,
    case when n > 0 then pg_temp.id(n) end
from generate_series(0, 4) as n;
create function pg_temp.until(n integer) returns text language sql as $$
    select e.name_until::date || ' ' || l.kept_until::date
    from taisce.entity as e
    join taisce.entity_name as l using (project_id, entity_id)
    where e.entity_id = pg_temp.id(10 + n)
$$;
create function pg_temp.moved(n integer, source integer) returns text language plpgsql as $$
begin
    update taisce.entity as e set name_source = pg_temp.id(source)
    where e.entity_id = pg_temp.id(10 + n);
    update taisce.entity_name as e set source_observation_id = pg_temp.id(source)
    where e.entity_id = pg_temp.id(10 + n);
    return pg_temp.until(n);
end $$;

-- Contract
select has_trigger('taisce', 'entity', 'source_followed', 'a canonical name follows its source');
select has_trigger('taisce', 'entity', 'sources_followed', 'from the start');
select has_trigger('taisce', 'entity_name', 'source_followed', 'any name does');
select has_trigger('taisce', 'entity_name', 'sources_followed', 'from the start');

-- Result: as they come, many at once
select is(pg_temp.until(0), 'infinity infinity', 'a name without source is kept');
select is(pg_temp.until(1), '2090-01-01 2090-01-01', 'one with a source as long as that');
select is(pg_temp.until(2), '2095-01-01 2095-01-01', 'each as long as its own');
select is(pg_temp.until(3), 'infinity infinity', 'for ever if that is kept for ever');
select is(pg_temp.until(4), 'infinity infinity', 'or is not there');

-- Result: as sources change
select is(pg_temp.moved(1, 2), '2095-01-01 2095-01-01', 'another source may be kept longer');
select is(pg_temp.moved(2, 1), '2090-01-01 2090-01-01', 'or less long');
select is(pg_temp.moved(3, 1), '2090-01-01 2090-01-01', 'or pass where the first did not');
select is(pg_temp.moved(1, 3), 'infinity infinity', 'or be kept for ever');
select is(pg_temp.moved(2, null), 'infinity infinity', 'a declared name has none');

select * from finish();
rollback;
