-- memory_v1.segments_due: what to condense next.
begin;
select plan(18);

-- Given
create role condensing_reader nologin;
grant taisce_reader to condensing_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'condensing_reader', 'read');
insert into taisce.observation (project_id, observation_id, log_offset, kind, source_role,
    data_subject_id, ingested_at, lineage, message_count, characters, formed_at)
select p.project_id, taisce.make_id('turn', p.project_id, n::text), n, 'turn', 'user', 'ann', now(),
    '', 0, 0, now()
from taisce.project as p, generate_series(1, 100) as n
where p.name = 'north';
set local taisce.project = 'north';
create function pg_temp.segment(level integer, first bigint, last bigint) returns void
language sql as $$
    insert into taisce.segment
    select p.project_id, gen_random_uuid(), 'ann', level, first, last, last - first + 1, 'brief', 5,
        now()
    from taisce.project as p
    where p.name = 'north'
$$;
create function pg_temp.due(max_rows integer default 20) returns text language sql as $$
    select string_agg(format('%s:%s-%s', d.level, d.from_offset, d.to_offset), ' ')
    from memory_v1.segments_due('ann', due.max_rows) as d
$$;
\ir ../as_role.psql

-- Contract
select has_function('memory_v1', 'segments_due', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.segments_due'::regproc
    ),
    array['data_subject_id', 'max_rows', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('condensing_reader', 'select memory_v1.segments_due(''ann'', project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('condensing_reader', 'select memory_v1.segments_due(''ann'', project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.segments_due(''ann'', project => ''north'')') $$, '42501', null,
    'nobody else may ask');
select lives_ok(
    $$ select pg_temp.as_role('taisce_writer', 'select has_function_privilege(
        ''memory_v1.segments_due(text,integer,text)'', ''execute'')') $$,
    'a writer may ask too');

-- Result
select is(
    pg_temp.due(),
    '1:1-8 1:9-16 1:17-24 1:25-32 1:33-40 1:41-48 1:49-56 1:57-64 1:65-72 1:73-80 1:81-88',
    'every eight turns outside the newest eight; the last four wait');
select is(pg_temp.due(2), '1:1-8 1:9-16', 'the oldest first, as many as asked for');
select is(
    (
        select d.sources from memory_v1.segments_due('ann', 1) as d
    ),
    (
        select array_agg(o.observation_id order by o.log_offset) from taisce.observation as o
        where o.log_offset <= 8
    ),
    'with the observations to condense');
select pg_temp.segment(1, 8 * n + 1, 8 * n + 8) from generate_series(0, 10) as n;
select is(pg_temp.due(), '2:1-64', 'then every eight of those');
select is(
    (select d.covered from memory_v1.segments_due('ann') as d), 64, 'which cover so many turns');
select pg_temp.segment(2, 1, 64);
select is(pg_temp.due(), null, 'until nothing is due');
delete from taisce.segment where level = 1 and from_offset = 73;
delete from taisce.observation where log_offset between 75 and 80;
select is(pg_temp.due(), '1:73-74', 'two turns between what is condensed are a gap to close');
delete from taisce.observation where log_offset = 74;
select is(pg_temp.due(), null, 'one is not');
select pg_temp.segment(3, 85, 88), pg_temp.segment(2, 85, 88);
delete from taisce.observation where log_offset = 73;
select is(
    pg_temp.due(), null, 'a segment alone before a higher one is no gap either');
select pg_temp.segment(1, 81, 84);
select is(
    pg_temp.due(), '2:65-84', 'two in a row before a higher one are');
select is(
    (select count(*) from memory_v1.segments_due('nobody')), 0::bigint, 'nobody has nothing due');

-- Errors
select throws_ok(
    $$ select memory_v1.segments_due(null) $$, 'TS005', 'invalid_argument',
    'a subject is needed');

select * from finish();
rollback;
