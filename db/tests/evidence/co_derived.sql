-- taisce.co_derived: facts of a list that rest on the same message about the same subject.
begin;
select plan(8);

-- Given
create function pg_temp.id(letter text) returns uuid language sql as $$
    select repeat(letter, 32)::uuid
$$;
-- Each fact as a letter, then its messages: 'a m1 m2'.
create function pg_temp.others(variadic facts text[]) returns jsonb language sql as $$
    select jsonb_object_agg(d.place, (
        select jsonb_agg(left(o.id, 1) order by o.place)
        from jsonb_array_elements_text(d.others) with ordinality as o (id, place)
    ))
    from taisce.co_derived(
        array(
            select pg_temp.id(split_part(f.fact, ' ', 1))
            from unnest(facts) with ordinality as f (fact, place) order by f.place
        ),
        array(
            select replace(substr(f.fact, 3), ' ', E'\x1f')
            from unnest(facts) with ordinality as f (fact, place) order by f.place
        )
    ) as d
$$;

-- Contract
select volatility_is('taisce', 'co_derived', array['uuid[]', 'text[]'], 'stable');

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.co_derived'::regproc and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(pg_temp.others(variadic '{}'::text[]), null, 'no facts have no others');
select is(
    pg_temp.others('a m1', 'b m2'), null,
    'facts of different messages have none');
select is(
    pg_temp.others('b m1', 'a m1', 'c m2'),
    '{"1": ["a"], "2": ["b"]}', 'facts of one message have each other');
select is(
    pg_temp.others('c m1', 'b m1 m2', 'a m2 m1'),
    '{"1": ["b", "a"], "2": ["c", "a"], "3": ["c", "b"]}',
    'in the order of the list, each once');
select is(
    pg_temp.others('a m1 m1'), null, 'a fact is no other of itself');
select is(
    pg_temp.others('a m1 m1', 'b m1'),
    '{"1": ["b"], "2": ["a"]}', 'also if it rests on a message twice');

select * from finish();
rollback;
