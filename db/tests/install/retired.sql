-- taisce.drop_retired, make_way, outside_dependents: what goes when, and what would go with it.
begin;
select plan(27);

-- Given
create function pg_temp.retire(class text, identity text, ago interval) returns void
language sql as $$
    insert into taisce.ledger_object
        (class, identity, owner, definition, privileges, remark, server_major, retired_at)
    values (class, identity, '', '', '', '', 16, now() - ago)
$$;
create function pg_temp.in_ledger(identity text) returns boolean language sql as $$
    select exists (select from taisce.ledger_object as o where o.identity = in_ledger.identity)
$$;
create function taisce.kept() returns integer language sql as 'select 1';
create function taisce.new() returns integer language sql as 'select 1';
create function taisce.old(integer) returns integer language sql as 'select 1';
create view taisce.old_view as select taisce.old(1) as n;
create procedure taisce.old_procedure() language sql as 'select 1';
create function taisce.needed() returns integer language sql as 'select 1';
create view taisce.needed_view as select taisce.needed() as n;
create schema outside;
create view outside.mine as select n from taisce.needed_view;
select pg_temp.retire('function', 'taisce.kept()', null);
select pg_temp.retire('function', 'taisce.new()', '0');
select pg_temp.retire('function', 'taisce.old(integer)', '1 microsecond');
select pg_temp.retire('view', 'taisce.old_view', '1 microsecond');
select pg_temp.retire('function', 'taisce.old_procedure()', '1 day');
select pg_temp.retire('function', 'taisce.long_gone()', '1 day');
select pg_temp.retire('function', 'taisce.needed()', '1 day');
select pg_temp.retire('view', 'taisce.needed_view', '1 day');

-- Result: outside_dependents
create function outside.count_it() returns bigint begin atomic select count(*) from taisce.needed_view; end;
create view outside.of_mine as select n from outside.mine;
create table outside.typed (status memory_v1.context_item);
create view outside.apart as select 1 as n;
create function outside.apart() returns integer language sql as 'select 1';
select is(
    (select array_agg(d.class || ' ' || d.identity order by d.identity, d.class)
     from taisce.outside_dependents() as d where d.identity like 'outside%'),
    array['function outside.count_it()', 'view outside.mine', 'view outside.of_mine',
        'table outside.typed'],
    'views, functions and tables built on the memory, also on one another, and no others');
select is(
    (select count(*) from taisce.outside_dependents() as d
     where d.identity like 'taisce.%' or d.identity like 'memory_v1.%'),
    0::bigint, 'what the memory holds itself is not outside');
drop function outside.count_it();
drop view outside.of_mine;

-- Result: drop_retired
select is(taisce.drop_retired(), 4, 'it tells how much it dropped');
select is(to_regprocedure('taisce.old(integer)'), null, 'what an earlier install superseded goes');
select is(to_regclass('taisce.old_view'), null, 'a view before the function it calls');
select is(to_regprocedure('taisce.old_procedure()'), null, 'a procedure too');
select is(pg_temp.in_ledger('taisce.old(integer)'), false, 'and is no longer in the ledger');
select is(pg_temp.in_ledger('taisce.long_gone()'), false, 'nor what was gone already');
select isnt(to_regprocedure('taisce.new()'), null, 'what this install superseded stays');
select is(pg_temp.in_ledger('taisce.new()'), true, 'in the ledger too');
select isnt(to_regprocedure('taisce.kept()'), null, 'and what nothing superseded');
select isnt(to_regclass('taisce.needed_view'), null, 'what something else needs stays');
select isnt(to_regprocedure('taisce.needed()'), null, 'and what that needs');
select is(
    pg_temp.in_ledger('taisce.needed()') and pg_temp.in_ledger('taisce.needed_view'), true,
    'to be dropped another time');
select is(taisce.drop_retired(), 0, 'nothing is dropped twice');
drop view outside.mine;
select is(taisce.drop_retired(), 2, 'until nothing needs it any more');
select is(to_regprocedure('taisce.needed()'), null, 'then it goes');

-- Result: make_way
update taisce.ledger_object set retired_at = null where identity = 'taisce.kept()';
select is(
    taisce.make_way('taisce.kept()'), 'taisce.kept_old_1()', 'a function is given another name');
select is(to_regprocedure('taisce.kept()'), null, 'its name is free');
select is(taisce.kept_old_1(), 1, 'and it works on');
select is(
    (select o.retired_at from taisce.ledger_object as o where o.identity = 'taisce.kept_old_1()'),
    now(), 'it is superseded from now on');
select is(taisce.drop_retired(), 0, 'so that this install does not drop it');
select is(pg_temp.in_ledger('taisce.kept()'), false, 'the ledger knows it by the new name alone');
create function taisce.kept(integer) returns integer language sql as 'select 2';
select is(
    taisce.make_way('taisce.kept(integer)'), 'taisce.kept_old_2(integer)',
    'the next gets a name of its own, whatever its arguments');
create function taisce."Odd one"() returns integer language sql as 'select 3';
select is(
    taisce.make_way('taisce."Odd one"()'), 'taisce."Odd one_old_1"()', 'a name is quoted once');
select is(taisce.make_way('taisce.kept(text)'), null, 'what is not there needs no way');
select is(taisce.kept_old_1() + taisce.kept_old_2(0), 3, 'both work on');

select * from finish();
rollback;
