-- memory_v1.message_window: a message in windows.
begin;
select plan(28);

-- Given
\set reader paging_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'message_window', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.message_window'::regproc
    ),
    array['passage_id', 'byte_start', 'byte_limit', 'expected_digest', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('paging_reader', 'select memory_v1.message_window((memory_v1.resolve_citation(fact_id, project => ''north'') #>> ''{evidence,0,passage_id}'')::uuid, project => ''north'') from memory_v1.list_records(project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('paging_reader', 'select memory_v1.message_window(null, project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.message_window((memory_v1.resolve_citation(fact_id, project => ''north'') #>> ''{evidence,0,passage_id}'')::uuid, project => ''north'') from memory_v1.list_records(project => ''north'')') $$, '42501', null,
    'nobody else may ask');

-- Given
create function pg_temp.part(
    byte_start integer default 0, byte_limit integer default 4096, digest boolean default true
) returns memory_v1.message_part language sql as $$
    select memory_v1.message_window(
        m.passage_id, part.byte_start, part.byte_limit,
        case when part.digest then encode(m.content_digest, 'hex') end)
    from taisce.message as m
    join taisce.project as p on p.project_id = m.project_id and p.name = 'north'
    where m.log_offset = 1 and m.role = 'user'
$$;

-- Result
select is(
    to_jsonb(pg_temp.part(0, 4096, false)) - '{passage_id,observation_id,occurred_at}'::text[]
        - 'content_digest',
    '{"ordinal": 0, "role": "user", "byte_start": 0, "byte_end": 53, "octets": 53,
      "content": "Grüß: Marta works at Acme now. Acme sits in Prague.",
      "next_byte_start": null, "released": false}', 'a short message is one window');
select is(
    (pg_temp.part()).content_digest,
    encode(sha256(convert_to('Grüß: Marta works at Acme now. Acme sits in Prague.', 'UTF8')), 'hex'),
    'its digest is sha256 of its bytes');
select is(
    (select (w.byte_start, w.byte_end, w.content, w.next_byte_start)::text
     from pg_temp.part(0, 5) as w), '(0,4,Grü,4)', 'a window ends before a split character');
select is(
    (select (w.byte_start, w.byte_end, w.content)::text from pg_temp.part(3, 4) as w),
    '(4,8,"ß: ")', 'and starts after one');
select is(
    (
        with recursive windows as (
            select pg_temp.part(0, 4) as w
            union all
            select pg_temp.part((g.w).next_byte_start, 4)
            from windows as g
            where (g.w).next_byte_start is not null
        )
        select string_agg((g.w).content, '' order by (g.w).byte_start) from windows as g
    ),
    'Grüß: Marta works at Acme now. Acme sits in Prague.', 'windows in turn give the message');
select is(
    (select (w.byte_start, w.byte_end, w.content, w.next_byte_start)::text
     from pg_temp.part(53) as w), '(53,53,"",)', 'at the end there is nothing left');
select lives_ok(
    $$ select memory_v1.message_window(m.passage_id, 1, 4, upper(encode(m.content_digest, 'hex')))
       from taisce.message as m join taisce.project as p using (project_id)
       where p.name = 'north' and m.log_offset = 1 $$, 'digits may be of either case');

-- Errors
select throws_ok(
    format('select pg_temp.part(%s)', c.args), 'TS005', 'invalid_argument', c.what || ' is refused')
from (values
    ('0, 3', 'a limit under 4'), ('0, 4097', 'a limit over 4096'), ('-1', 'a negative start'),
    ('1, 4, false', 'a later window without digest'), ('54', 'a start behind the end')
) as c (args, what);
select throws_ok(
    format('select memory_v1.message_window(gen_random_uuid(), expected_digest => %L)', d), 'TS005',
    'invalid_argument', 'what is no digest is refused')
from (values (''), (repeat('g', 64)), (repeat('a', 63))) as c (d);
select throws_ok(
    format('select memory_v1.message_window(%L, 1, 4, %L)', m.passage_id, repeat('0', 64)),
    'TS012', 'source_changed', 'another digest means another text')
from taisce.message as m
join taisce.project as p on p.project_id = m.project_id and p.name = 'north'
where m.log_offset = 1 and m.role = 'user';
create temporary table refusal as
select 'an unknown message' as what, gen_random_uuid() as id
union all
select 'a message of another project', m.passage_id
from taisce.message as m join taisce.project as p using (project_id) where p.name = 'south'
union all
select 'an expired message', m.passage_id
from taisce.message as m join taisce.project as p using (project_id)
where p.name = 'north' and m.log_offset = 3
union all
select 'no message', null;
update taisce.message set retention_until = '2020-01-01Z' where log_offset = 3;
select throws_ok(
    format('select memory_v1.message_window(%L)', r.id), 'TS004', 'not_found',
    r.what || ' is not found')
from refusal as r;

-- Result: a message that was released
update taisce.message set content = null where log_offset = 1;
select ok((pg_temp.part()).released, 'says so');
select is((pg_temp.part()).content, null, 'and has no text');
select is((pg_temp.part(5)).next_byte_start, null, 'nor a window to go on with');

select * from finish();
rollback;
