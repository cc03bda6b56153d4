-- taisce.installed_relations, installed_parts: objects as the catalogue has them.
begin;
select plan(19);

-- Given
set local client_min_messages = warning;
create role installed_other nologin;
create table taisce.made (
    id integer primary key, n integer not null default 7, said text collate "C",
    constraint small check (n < 9)
);
create index made_n on taisce.made (n);
create function taisce.made_fires() returns trigger language plpgsql as 'begin return new; end';
create trigger made_fires before insert on taisce.made
for each row execute function taisce.made_fires();
alter table taisce.made disable trigger made_fires;
create policy made_policy on taisce.made for select to installed_other using (n > 1);
create rule made_rule as on delete to taisce.made do instead nothing;
create statistics taisce.made_statistics on id, n from taisce.made;
create sequence taisce.made_numbers as integer increment 5 cycle;
create view taisce.made_view as select n from taisce.made;
create type taisce.made_enum as enum ('b', 'a');
create domain taisce.made_domain as integer not null check (value > 0);
create table taisce.made_list (n integer) partition by list (n);
create table taisce.made_list_1 partition of taisce.made_list for values in (1);
create table taisce.made_range (n integer) partition by range (n);
create table taisce.made_range_1 partition of taisce.made_range for values from (1) to (2);
create collation taisce.made_words from "C";
create schema outside;
create table outside.made_not_here (n integer);
create function pg_temp.relation(identity text, out definition text) language sql as $$
    select i.definition from taisce.installed_relations() as i where i.identity = relation.identity
$$;
create function pg_temp.part(identity text, out definition text) language sql as $$
    select i.definition from taisce.installed_parts() as i
    where i.identity = part.identity || ' on taisce.made'
$$;
create function pg_temp.run(statement text) returns void language plpgsql as $$
begin
    execute statement;
end $$;

-- Result: installed_relations
select is(
    (select string_agg(i.class || ' ' || i.identity, ', ' order by i.identity)
     from taisce.installed_relations() as i where i.identity ~ 'made' and i.class <> 'other'),
    'table taisce.made, type taisce.made_domain, type taisce.made_enum, '
    'function taisce.made_fires(), table taisce.made_list, sequence taisce.made_numbers, '
    'table taisce.made_range, table taisce.made_range_1, view taisce.made_view',
    'what lies in the schemas, without partitions of a table cut by list, and nothing outside');
select is(
    (select count(*) from taisce.installed_relations() as i
     where i.class = 'other' and i.identity ~ 'made_words'),
    1::bigint, 'any other kind by its name');
select is(
    (select array_agg(i.identity order by i.identity) from taisce.installed_relations() as i
     where i.class = 'schema'),
    array['memory_v1', 'taisce'], 'and the two schemas');
select is(pg_temp.relation('taisce.made'), '', 'a table with nothing special says nothing');
alter table taisce.made enable row level security;
alter table taisce.made set (fillfactor = 70);
select is(pg_temp.relation('taisce.made'), 'row security, fillfactor=70', 'else what is');
select is(
    pg_temp.relation('taisce.made_list') ~ '^cut by LIST \(n\)', true, 'how it is cut');
select is(
    pg_temp.relation('taisce.made_range_1') ~ 'part of taisce.made_range FOR VALUES FROM \(1\) TO',
    true, 'or of what it is part');
select is(
    pg_temp.relation('taisce.made_numbers'),
    'integer from 1 to 2147483647 by 5 starts 1 cache 1 cycle, of none', 'a sequence its numbers');
select is(pg_temp.relation('taisce.made_enum'), 'b, a', 'an enumeration its words in their order');
select is(
    pg_temp.relation('taisce.made_domain') ~ '^integer not null CHECK', true, 'a domain its rule');

-- Result: installed_parts
select is(
    (select string_agg(i.class || ' ' || split_part(i.identity, ' on ', 1), ', '
        order by i.class, i.identity)
     from taisce.installed_parts() as i where i.identity like '% on taisce.made'),
    'column id, column n, column said, constraint made_pkey, constraint small, index made_n, '
    'policy made_policy, rule made_rule, statistics made_statistics, trigger made_fires',
    'each part of a table, an index of a constraint with that');
select is(pg_temp.part('n'), 'integer not null default 7', 'a column is its type and what binds it');
select is(pg_temp.part('said'), 'text collate "C"', 'and how it sorts, if not as usual');
select is(pg_temp.part('made_pkey'), 'PRIMARY KEY (id)', 'a constraint its words');
select is(
    pg_temp.part('made_policy'),
    'as permissive for select to installed_other using ((n > 1))', 'a policy for whom and what');
select is(pg_temp.part('made_fires') ~ ' disabled$', true, 'a trigger whether it fires');
create temporary table before as
select i.* from taisce.installed_parts() as i where i.identity like '% on taisce.made';
alter table taisce.made alter column n drop not null, alter column n set default 8;
alter table taisce.made drop constraint small, enable trigger made_fires;
drop policy made_policy on taisce.made;
drop index taisce.made_n;
drop rule made_rule on taisce.made;
drop statistics taisce.made_statistics;
select is(pg_temp.part('n'), 'integer default 8', 'what is changed by hand shows');
select pg_temp.run(b.mend) from before as b;
select is(
    (select array_agg(b.identity) from before as b
     where b.definition is distinct from pg_temp.part(split_part(b.identity, ' on ', 1))),
    null, 'what mends a part makes it as it was');
select pg_temp.run(b.undo) from before as b where b.class <> 'column';
select is(
    (select count(*) from taisce.installed_parts() as i
     where i.identity like '% on taisce.made' and i.class <> 'column'),
    0::bigint, 'what undoes a part takes it away');

select * from finish();
rollback;
