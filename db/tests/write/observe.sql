-- memory_v1.observe: appends what was said.
begin;
select plan(12);

-- Given
\set writer telling_writer
\set reader telling_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'observe', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.observe'::regproc
    ),
    array['messages', 'kind', 'data_subject_id', 'occurred_at', 'idempotency_key', 'lineage', 'title', 'source_kind', 'source_ref', 'retention_until', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.observe'::regproc
    ),
    array['observation_id', 'log_offset', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.observe'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('telling_writer', format('select memory_v1.observe(''[{"role": "user", "content": "Hi."}]'', project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('telling_writer', format('select memory_v1.observe(''[{"role": "user", "content": "Hi."}]'', project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('telling_reader', format('select memory_v1.observe(''[{"role": "user", "content": "Hi."}]'', project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select o.repeated from memory_v1.observe('[{"role": "user", "content": "A."}]', idempotency_key => 'k') as o),
    false,
    'a new key appends');
select is(
    (select o.repeated from memory_v1.observe('[{"role": "user", "content": "A."}]', idempotency_key => 'k') as o),
    true,
    'the same again does not');
select throws_ok(
    $$ select memory_v1.observe('[{"role": "user", "content": "B."}]', idempotency_key => 'k') $$,
    'TS007', 'idempotency_conflict', 'other content under the key is refused');
select throws_ok(
    $$ select memory_v1.observe('[]') $$,
    'TS005', 'invalid_argument', 'nothing said is refused');
select is(
    (select o.formed_at from taisce.observation as o where o.idempotency_key = 'k'),
    null,
    'it waits to be formed');

select * from finish();
rollback;
