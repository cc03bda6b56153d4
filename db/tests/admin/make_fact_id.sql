-- taisce.make_fact_id: the order of fact ids is the order of being told.
begin;
select plan(8);

-- Contract
select has_function(
    'taisce', 'make_fact_id', array['bigint', 'uuid'], 'it takes an offset and a content key');
select function_returns('taisce', 'make_fact_id', array['bigint', 'uuid'], 'uuid');
select volatility_is('taisce', 'make_fact_id', array['bigint', 'uuid'], 'immutable');

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.make_fact_id(bigint, uuid)'::regprocedure
         and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(
    taisce.make_fact_id(258, '11111111-2222-8333-9444-555555555555'),
    '00000000-0102-8333-9444-555555555555'::uuid,
    '48 bits of the offset come first, then the content key');
select ok(
    taisce.make_fact_id(255, 'ffffffff-ffff-8fff-bfff-ffffffffffff')
        < taisce.make_fact_id(256, '00000000-0000-8000-8000-000000000000'),
    'a fact told earlier sorts first, whatever it says');
select is(
    taisce.make_fact_id(281474976710655, '11111111-2222-8333-9444-555555555555'),
    'ffffffff-ffff-8333-9444-555555555555'::uuid,
    'the last offset that fits is kept whole');
select isnt(
    taisce.make_fact_id(7, taisce.make_id('fact', 1, 'a')),
    taisce.make_fact_id(7, taisce.make_id('fact', 1, 'b')),
    'two facts of one observation differ');

select * from finish();
rollback;
