-- memory_v1.facts_as_of: the audit read.
begin;
select plan(12);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'facts_as_of', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.facts_as_of'::regproc and a.place <= p.pronargs
    ),
    array['valid_at', 'believed_at', 'max_rows', 'identity_regime', 'project'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.facts_as_of'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.facts_as_of(now(), now(), project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.facts_as_of(now(), now(), project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.facts_as_of(now(), now(), project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.facts_as_of(now(), now(), project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select count(*) from memory_v1.facts_as_of('2024-02-01Z', '2099-01-01Z')),
    2::bigint,
    'what did not hold then is not there');
select is(
    (select count(*) from memory_v1.facts_as_of('2024-04-01Z', '2099-01-01Z')),
    3::bigint,
    'what held then is');
select is(
    (select count(*) from memory_v1.facts_as_of('2024-04-01Z', '2020-01-01Z')),
    0::bigint,
    'before anything was told nothing was believed');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.facts_as_of(null, now()) $t$,
    'TS005', null,
    'one clock alone is refused');
select throws_ok(
    $t$ select * from memory_v1.facts_as_of(now(), now(), 1001) $t$,
    'TS005', null,
    'too many rows are refused');

select * from finish();
rollback;
