-- memory_v1.context and context_items: a person's history within a budget.
begin;
select plan(30);

-- Given
create role talking_reader nologin;
grant taisce_reader to talking_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'talking_reader', 'read');
insert into taisce.observation (project_id, observation_id, log_offset, kind, source_role,
    data_subject_id, occurred_at, ingested_at, lineage, message_count, characters, formed_at,
    parked_at, retention_until)
select p.project_id, taisce.make_id('turn', p.project_id, n::text), n,
    case when n = 19 then 'document' else 'turn' end, 'user',
    case when n = 20 then 'bob' else 'ann' end, '2024-01-01Z'::timestamptz + n * interval '1 day',
    now(), '', 2, 0, case when n <> 18 then now() end, case when n = 17 then now() end,
    case when n = 16 then '2020-01-01Z' else 'infinity' end::timestamptz
from taisce.project as p, generate_series(1, 20) as n
where p.name = 'north';
insert into taisce.message (project_id, observation_id, ordinal, passage_id, log_offset, role,
    content, characters, octets, content_digest, data_subject_id)
select o.project_id, o.observation_id, i, gen_random_uuid(), o.log_offset,
    (array['user', 'tool'])[i + 1], repeat('ß', 2), 2, 4, sha256('x'), o.data_subject_id
from taisce.observation as o, generate_series(0, 1) as i;
insert into taisce.segment
select p.project_id, gen_random_uuid(), s.subject, s.level, s.first, s.last, s.covered, s.summary,
    length(s.summary), now()
from taisce.project as p, (values
    ('ann', 1, 2, 3, 2, 'two and three'), ('ann', 1, 4, 4, 1, 'four'), ('ann', 2, 2, 4, 3, 'over'),
    ('bob', 1, 1, 20, 1, 'bob''s')
) as s (subject, level, first, last, covered, summary)
where p.name = 'north';
set local taisce.project = 'north';
create function pg_temp.shown(max_characters integer default null) returns text
language sql as $$
    select string_agg(
        case c.kind when 'turn' then c.from_offset::text else c.summary end, ',' order by c.ordinal)
    from memory_v1.context_items('ann', shown.max_characters) as c
$$;
\ir ../as_role.psql

-- Contract
select has_function('memory_v1', 'context', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.context'::regproc
    ),
    array['data_subject_id', 'max_characters', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('talking_reader', 'select memory_v1.context(''ann'', project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('talking_reader', 'select memory_v1.context(''ann'', project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.context(''ann'', project => ''north'')') $$, '42501', null,
    'nobody else may ask');
select throws_ok(
    $$ select pg_temp.as_role('talking_reader',
        'select memory_v1.context_items(''ann'', project => ''south'')') $$,
    'TS003', 'unknown_project', 'nor as rows');

-- Result
select is(pg_temp.shown(), '1,over,5,6,7,8,9,10,11,12,13,14,15',
    'turns in order, the highest segment for what it covers; neither expired, parked, unformed, '
    'a document nor somebody else');
select is(
    (
        select array_agg(i.characters) from memory_v1.context_items('ann') as i
        where i.from_offset in (1, 2, 15)
    ),
    array[12, 4, 12], 'a turn costs roles and contents, a segment its summary');
select is(
    memory_v1.context('ann') - '{freshness,turns,segments}'::text[],
    '{"contract": "context/v1", "characters": 148, "truncated": false, "controls": {
      "project": "north", "data_subject_id": "ann", "max_characters": 16000}}',
    'the whole says what it is, costs and was made with');
select is(
    (memory_v1.context('ann') #> '{segments,0}') - 'segment_id',
    '{"level": 2, "from_offset": 2, "to_offset": 4, "covered": 3, "summary": "over"}',
    'a segment');
select is(
    (memory_v1.context('ann') #> '{turns,0}') #- '{messages,0,passage_id}'
        #- '{messages,1,passage_id}' #- '{observation_id}',
    '{"log_offset": 1, "occurred_at": "2024-01-02T00:00:00+00:00", "messages": [
      {"ordinal": 0, "role": "user", "content": "ßß"},
      {"ordinal": 1, "role": "tool", "content": "ßß"}]}',
    'a turn with messages of every role');
select is(
    memory_v1.context('ann') -> 'freshness', taisce.freshness_of(p.project_id),
    'and how fresh all that is')
from taisce.project as p where p.name = 'north';
select is(pg_temp.shown(12 * 11 + 3), '5,6,7,8,9,10,11,12,13,14,15',
    'it is cut from the oldest end, and the first item that does not fit ends it');
select is(memory_v1.context('ann', 12 * 11 + 3) -> 'truncated', 'true', 'and it says so');
select is(pg_temp.shown(12 * 11 + 4), 'over,5,6,7,8,9,10,11,12,13,14,15', 'what fits is shown');
select is(pg_temp.shown(30), '14,15', 'the newest turns are cut too');
select is(pg_temp.shown(11), null, 'the last one as well');
select is(
    memory_v1.context('ann', 11) - '{freshness,controls}'::text[],
    '{"contract": "context/v1", "segments": [], "turns": [], "characters": 0, "truncated": true}',
    'which leaves nothing, cut');
select is(
    memory_v1.context('nobody') - '{freshness,controls}'::text[],
    '{"contract": "context/v1", "segments": [], "turns": [], "characters": 0, "truncated": false}',
    'somebody unknown has an empty history');

-- Result: what has expired or was released
update taisce.observation set retention_until = '2020-01-01Z' where log_offset = 3;
select is(pg_temp.shown(), '1,2,four,5,6,7,8,9,10,11,12,13,14,15',
    'what condenses an expired turn is not shown, what does not is');
update taisce.message set content = null where log_offset = 15;
select is(
    memory_v1.context('ann', 8) #> '{turns,0,messages,0,content}', 'null',
    'a released message has no content and costs its role');

-- Errors
select throws_ok(
    format('select memory_v1.context(%s)', c.args), 'TS005', 'invalid_argument',
    c.what || ' is refused')
from (values
    ('null', 'no subject'), (''' ''', 'a blank subject'),
    ('repeat(''x'', 1025)', 'a long subject'),
    ('''ann'', 0', 'a budget of nothing'), ('''ann'', 16001', 'a budget over the setting')
) as c (args, what);
select throws_ok(
    $$ select * from memory_v1.context_items(' ') $$, 'TS005', 'invalid_argument',
    'also for rows');
select throws_ok(
    $$ select memory_v1.context('ann', project => 'nowhere') $$, 'TS003', 'unknown_project',
    'an unknown project is refused');
select throws_ok(
    $$ select memory_v1.segments_due(' ') $$, 'TS005', 'invalid_argument',
    'a blank subject has nothing due');
select throws_ok(
    $$ select memory_v1.segments_due('ann', 101) $$, 'TS005', 'invalid_argument',
    'a page has at most 100 rows');

select * from finish();
rollback;
