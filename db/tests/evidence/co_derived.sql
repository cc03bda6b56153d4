-- taisce.co_derived: facts of a list that rest on the same message about the same subject.
begin;
select plan(8);

-- Given
create function pg_temp.item(fact_id text, said text[]) returns jsonb language sql as $$
    select jsonb_build_object('fact_id', fact_id, 'said', to_jsonb(said))
$$;
create function pg_temp.others(variadic items jsonb[]) returns jsonb language sql as $$
    select jsonb_object_agg(d.place, d.others) from taisce.co_derived(items) as d
$$;

-- Contract
select volatility_is('taisce', 'co_derived', array['jsonb[]'], 'stable');

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.co_derived'::regproc and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(pg_temp.others(variadic '{}'::jsonb[]), null, 'no facts have no others');
select is(
    pg_temp.others(pg_temp.item('a', '{m1}'), pg_temp.item('b', '{m2}')), null,
    'facts of different messages have none');
select is(
    pg_temp.others(pg_temp.item('b', '{m1}'), pg_temp.item('a', '{m1}'), pg_temp.item('c', '{m2}')),
    '{"1": ["a"], "2": ["b"]}', 'facts of one message have each other');
select is(
    pg_temp.others(
        pg_temp.item('c', '{m1}'), pg_temp.item('b', '{m1,m2}'), pg_temp.item('a', '{m2,m1}')),
    '{"1": ["b", "a"], "2": ["c", "a"], "3": ["c", "b"]}',
    'in the order of the list, each once');
select is(
    pg_temp.others(pg_temp.item('a', '{m1,m1}')), null, 'a fact is no other of itself');
select is(
    pg_temp.others(pg_temp.item('a', '{m1,m1}'), pg_temp.item('b', '{m1}')),
    '{"1": ["b"], "2": ["a"]}', 'also if it rests on a message twice');

select * from finish();
rollback;
