-- taisce.checked_entities and recall_settings, default_roles: ids led to survivors; limits and defaults.
begin;
select plan(19);

-- Given
insert into taisce.project (project_id, name, default_source_roles) values
(9001, 'north', '{tool}'), (9002, 'south', default);
create function pg_temp.id(number integer) returns uuid language sql as $$
    select ('00000000-0000-0000-0000-' || lpad(number::text, 12, '0'))::uuid
$$;
insert into taisce.entity (
    project_id, entity_id, identity_kind, canonical_name, status, merged_into, first_seen_at
)
select project_id, pg_temp.id(number), 'named', name, status, pg_temp.id(into_number), now()
from (values
    (9001, 1, 'Ann', 'active', null), (9001, 2, 'Bob', 'active', null),
    (9001, 3, 'Robert', 'merged', 2), (9001, 4, 'Rob', 'merged', 3),
    (9001, 5, 'Gone', 'retired', null), (9001, 6, 'Away', 'merged', 5),
    (9002, 7, 'Other', 'active', null)
) as e (project_id, number, name, status, into_number);
create function pg_temp.led(variadic numbers integer[]) returns integer[] language sql as $$
    select array(
        select right(c.id::text, 12)::integer
        from unnest(taisce.checked_entities(
            9001, array(select pg_temp.id(n) from unnest(numbers) with ordinality as u (n, o)
                order by u.o), 3)) with ordinality as c (id, place)
        order by c.place)
$$;

-- Contract
select volatility_is('taisce', 'checked_entities', array['bigint', 'uuid[]', 'integer'], 'stable');
select volatility_is('taisce', 'recall_settings', '{}'::name[], 'stable');
select volatility_is('taisce', 'default_roles', array['bigint'], 'stable');

-- Rights
select is_empty(
    $$ select p.proname from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid in ('taisce.checked_entities'::regproc, 'taisce.recall_settings'::regproc,
           'taisce.default_roles'::regproc)
         and x.grantee <> p.proowner $$,
    'only the owner may call them');

-- Result
select is(pg_temp.led(2, 1), '{2,1}', 'ids come in the order given');
select is(pg_temp.led(3), '{2}', 'a merged id leads to the survivor');
select is(pg_temp.led(4, 1), '{2,1}', 'through several merges');
select is(pg_temp.led(1, 4, 2), '{1,2}', 'two that lead to one come once, where the first stood');
select is(taisce.default_roles(9001), '{tool}', 'roles of the project');
select is(taisce.default_roles(9002), '{user}', 'or those of all');
select is(taisce.default_roles(null), null, 'without a project none');
select is(
    (taisce.recall_settings()).bundle_characters,
    (select value::integer from taisce.setting where name = 'bundle_characters'),
    'limits are those of the installation');

-- Refused
select throws_ok($$ select pg_temp.led(8) $$, 'TS004', 'not_found', 'an unknown id');
select throws_ok($$ select pg_temp.led(1, 5) $$, 'TS004', 'not_found', 'a retired one');
select throws_ok($$ select pg_temp.led(6) $$, 'TS004', 'not_found', 'one that leads to such');
select throws_ok($$ select pg_temp.led(7) $$, 'TS004', 'not_found', 'one of another project');
select throws_ok(
    $$ select taisce.checked_entities(9001, '{}', 3) $$, 'TS005', 'invalid_argument', 'no ids');
select throws_ok(
    $$ select pg_temp.led(1, 1) $$, 'TS005', 'invalid_argument', 'an id twice');
select throws_ok(
    $$ select pg_temp.led(1, 2, 3, 4) $$, 'TS005', 'invalid_argument', 'too many');

select * from finish();
rollback;
