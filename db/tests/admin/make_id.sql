-- taisce.make_id: ids that follow from what they name.
begin;
select plan(9);

-- Contract
select has_function(
    'taisce', 'make_id', array['text', 'bigint', 'text'], 'it takes a kind, a project and a key');
select function_returns('taisce', 'make_id', array['text', 'bigint', 'text'], 'uuid');

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.make_id(text, bigint, text)'::regprocedure
         and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(
    taisce.make_id('entity', 1, 'Marta'), taisce.make_id('entity', 1, 'Marta'),
    'the same key gives the same id');
select is(
    (
        select count(distinct taisce.make_id(k, p, n))
        from unnest(array['entity', 'claim']) as k,
            unnest(array[1, 2, 12]::bigint[]) as p,
            unnest(array['Marta', 'marta', '2Marta', '', 'Zo' || U&'\00EB']) as n
    ),
    30::bigint, 'another kind, project or key gives another id');
select matches(
    taisce.make_id('entity', 1, 'Marta')::text,
    '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    'it is a uuid of version 8');
select is(
    taisce.make_id('entity', 1, 'Marta')::text,
    (
        select format('%s-%s-8%s-%s%s-%s', substr(h, 1, 8), substr(h, 9, 4), substr(h, 14, 3),
            to_hex(get_byte(decode(h, 'hex'), 8) & 63 | 128), substr(h, 19, 2), substr(h, 21, 12))
        from encode(sha256(convert_to(E'entity\x1f1\x1fMarta', 'UTF8')), 'hex') as h
    ),
    'it is the start of the SHA-256 of kind, project and key, so that any client can make it');
select is(taisce.make_id('entity', 1, null), null::uuid, 'no key gives no id');
select is(
    taisce.make_id('fact', 9223372036854775807, repeat('x', 1000000)),
    taisce.make_id('fact', 9223372036854775807, repeat('x', 1000000)),
    'a key may be long');

select * from finish();
rollback;
