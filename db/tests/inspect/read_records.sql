-- taisce.read_records, count_facts, not_found: facts as they are kept, their status and number.
begin;
select plan(36);

-- Given: all read at the beginning of 2026 unless said.
\set reader records_reader
\ir memory.psql
\ir ../refusal.psql
create function pg_temp.north() returns bigint language sql as $$
    select p.project_id from taisce.project as p where p.name = 'north'
$$;
create function pg_temp.status(
    statement text, read_at timestamptz default '2026-01-01Z', skew interval default '1 hour'
) returns text language sql as $$
    select coalesce(max(r.status), 'gone')
    from taisce.read_records(pg_temp.north(), array[pg_temp.fact(statement)], read_at, skew) as r
$$;
create function pg_temp.version(valid_to timestamptz, replaced boolean) returns text
language sql as $$
    update taisce.fact_version as v
    set valid_to = version.valid_to, replaced = version.replaced
    where v.fact_id = pg_temp.fact('Marta owes money');
    select pg_temp.status('Marta owes money')
$$;
create function pg_temp.believed(known_to timestamptz, cause text) returns text language sql as $$
    update taisce.fact_version as v
    set known_to = believed.known_to, closed_cause = believed.cause, live = believed.known_to = 'infinity'
    where v.fact_id = pg_temp.fact('Marta owes money');
    select pg_temp.status('Marta owes money')
$$;
create function pg_temp.counted(
    name text, read_at timestamptz default '2026-01-01Z', most integer default 9,
    skew interval default '1 hour'
) returns text language sql as $$
    select format('%s, %s', c.as_subject, c.as_object)
    from taisce.entity as e
    cross join lateral taisce.count_facts(e.project_id, e.entity_id, read_at, skew, most) as c
    where e.project_id = pg_temp.north() and e.canonical_name = counted.name
$$;

-- Result: count_facts. Acme sits in Prague twice; Marta worked there from March to June 2024, now
-- works at Babel, and owes money.
select is(pg_temp.counted('Acme'), '2, 0', 'current facts of which it is the subject');
select is(pg_temp.counted('Prague'), '0, 2', 'and the object');
select is(pg_temp.counted('Marta'), '2, 0', 'what has ended does not count');
select is(pg_temp.counted('Acme', '2024-05-01Z'), '2, 0', 'whenever one looks');
update taisce.fact_version set live = true where known_to = 'infinity';
select is(pg_temp.counted('Acme', '2024-05-01Z'), '2, 1', 'what is live does, while it holds');
select is(pg_temp.counted('Acme', '2024-02-29 23:00Z'), '2, 1', 'from its beginning less the skew');
select is(pg_temp.counted('Acme', '2024-02-29 22:59:59Z'), '2, 0', 'and not earlier');
select is(
    pg_temp.counted('Acme', '2024-05-31 22:59:59Z'), '2, 1',
    'what was replaced counts until the skew before its end');
select is(pg_temp.counted('Acme', '2024-05-31 23:00Z'), '2, 0', 'and not then');
select is(pg_temp.counted('Acme', most => 2), '2, 0', 'up to a limit');
select is(pg_temp.counted('Acme', most => 1), '1, 0', 'each');
select is(pg_temp.counted('Prague', most => 1), '0, 1', 'of both');

-- Result: rows of read_records
select is(
    (select array_agg(row(r.place, (r.fact).statement, r.subject, r.object)::text order by r.place)
     from taisce.read_records(pg_temp.north(), array[
        pg_temp.fact('Acme sits in Prague'), gen_random_uuid(), pg_temp.fact('Marta is a ship'),
        pg_temp.fact('Marta owes money')], '2026-01-01Z', '0') as r),
    array['(1,"Acme sits in Prague",Acme,Prague)', '(4,"Marta owes money",Marta,)'],
    'facts in the order given, none for an id that is unknown or of another project');
select is(
    (select ((r.last).known_to, (r.last).valid_to)::text
     from taisce.read_records(
        pg_temp.north(), array[pg_temp.fact('Marta works at Acme')], '2026-01-01Z', '0') as r),
    row('infinity'::timestamptz, '2024-06-01Z'::timestamptz)::text,
    'each with the version that was known last');

-- Result: status by time
select is(pg_temp.status('Marta owes money'), 'current', 'what holds is current');
select is(pg_temp.status('Marta works at Acme'), 'validity_closed', 'what ended is closed');
select is(pg_temp.version('2026-01-01Z', false), 'validity_closed', 'to the instant');
select is(pg_temp.version('2026-01-01 00:00:00.000001Z', false), 'current', 'and not before');
select is(pg_temp.version('2026-01-01 01:00Z', true), 'validity_closed',
    'what was replaced is closed the skew before its end');
select is(pg_temp.version('2026-01-01 01:00:00.000001Z', true), 'current', 'and not earlier');
select is(pg_temp.believed('2099-01-01Z', 'superseded'), 'knowledge_closed',
    'what is believed no more');
select is(pg_temp.believed('2099-01-01Z', 'retracted'), 'retracted', 'what was retracted');
select pg_temp.version('2025-01-01Z', false);
select is(pg_temp.status('Marta owes money'), 'retracted', 'even if it has ended too');
select is(
    pg_temp.believed('2099-01-01Z', 'superseded'), 'knowledge_closed',
    'what is believed no more is not told to have ended');
select pg_temp.version('infinity', false);
select is(pg_temp.believed('infinity', null), 'current', 'and is current again if it is believed');

-- Result: status by sources: the 32 first pieces of evidence are looked at
create function pg_temp.release(first integer, last integer) returns text language sql as $$
    update taisce.message as m
    set content = case when m.ordinal between release.first and release.last then null else 'x' end
    where m.observation_id in (
        select e.observation_id from taisce.fact_evidence as e
        where e.fact_id = pg_temp.fact('Marta owes money'));
    select pg_temp.status('Marta owes money')
$$;
select is(pg_temp.release(1, 1), 'sources_released', 'the only text behind it is gone');
insert into taisce.message
select (jsonb_populate_record(m, jsonb_build_object('ordinal', n, 'passage_id', gen_random_uuid()))).*
from taisce.message as m, generate_series(2, 33) as n
where m.role = 'tool' and m.ordinal = 1;
insert into taisce.fact_evidence
select (jsonb_populate_record(e, jsonb_build_object('ordinal', n))).*
from taisce.fact_evidence as e, generate_series(2, 33) as n
where e.fact_id = pg_temp.fact('Marta owes money');
select is(pg_temp.release(1, 31), 'current', 'one of the first 32 is enough');
select is(pg_temp.release(1, 32), 'sources_released', 'the 33rd is not looked at');
select is(pg_temp.release(2, 33), 'current', 'nor need any but the first be there');
update taisce.fact_evidence set stance = 'contradicts'
where fact_id = pg_temp.fact('Marta owes money') and ordinal = 1;
select is(pg_temp.release(2, 33), 'sources_released', 'what contradicts is no source');
update taisce.fact_evidence set stance = 'supports', retention_until = '2026-01-01Z'
where fact_id = pg_temp.fact('Marta owes money') and ordinal = 1;
select is(pg_temp.release(2, 33), 'sources_released', 'nor what has expired');
select is(
    pg_temp.status('Marta owes money', '2025-12-31 23:59:59Z'), 'current', 'until it does');

-- Result: retention
update taisce.fact set retention_until = '2026-01-01Z'
where fact_id = pg_temp.fact('Marta works at Babel');
select is(pg_temp.status('Marta works at Babel'), 'gone', 'a fact that has expired is not told');
select is(pg_temp.status('Marta works at Babel', '2025-12-31 23:59:59Z'), 'current', 'until then');

-- Result: not_found
select throws_ok('select taisce.not_found()', 'TS004', 'not_found', 'an id is refused');
select is(
    pg_temp.refusal('select taisce.not_found()'), 'TS004 nothing of that id is in the project',
    'in words that do not say why');

select * from finish();
rollback;
