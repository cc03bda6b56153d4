-- What writes share: texts, documents, stamps, digests, keys.
begin;
select plan(39);

-- Given
\ir ../refusal.psql
insert into taisce.project (project_id, name) values (9001, 'north');
insert into taisce.project_clock (project_id, last_stamp, stored, formed, parked)
values (9001, '2024-01-01Z', 0, 0, 0);
create function pg_temp.text(kind text, value text) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.check_text(''it'', %L, %L)', kind, value))
$$;
create function pg_temp.hint(argument text) returns text language plpgsql as $$
declare
    v_hint text;
begin
    perform taisce.refuse_argument(argument, 'b', 'TS004');
exception
    when sqlstate 'TS004' then
        get stacked diagnostics v_hint = pg_exception_hint;
        return v_hint;
end
$$;
create function pg_temp.stamp() returns timestamptz language sql as $$
    select c.last_stamp from taisce.project_clock as c where c.project_id = 9001
$$;

-- Result: check_text
select is(pg_temp.text('label', repeat('a', 1024)), 'none', 'a label has up to 1,024 bytes');
select is(pg_temp.text('label', repeat('a', 1025)), 'TS005 it: is too long', 'and no more');
select is(pg_temp.text('name', repeat('a', 4096)), 'none', 'a name up to 4,096');
select is(pg_temp.text('name', repeat('a', 4097)), 'TS005 it: is too long', 'and no more');
select is(pg_temp.text('words', repeat('ß', 32768)), 'none', 'words up to 65,536');
select is(pg_temp.text('words', repeat('ß', 32768) || 'a'), 'TS005 it: is too long', 'and no more');
select is(pg_temp.text('predicate', repeat('a', 256)), 'none', 'a predicate up to 256');
select is(pg_temp.text('predicate', repeat('a', 257)), 'TS005 it: is too long', 'and no more');
select is(pg_temp.text('label', null), 'TS005 it: is missing', 'what is missing is told');
select is(pg_temp.text('label', E' \n'), 'TS005 it: must not be empty', 'and what is blank');

-- Result: refuse_argument
select is(
    pg_temp.refusal($$ select taisce.refuse_argument('a', 'b') $$), 'TS005 a: b',
    'an argument is refused with its name and the reason');
select throws_ok(
    $$ select taisce.refuse_argument('a', 'b', 'TS007') $$, 'TS007', 'idempotency_conflict',
    'or with another code and its word');
select throws_ok(
    $$ select taisce.refuse_argument('a', 'b', 'TS004') $$, 'TS004', 'not_found', 'of each code');
select throws_ok(
    $$ select taisce.refuse_argument('a', 'b', 'TS006') $$, 'TS006', 'conflicting_value',
    'its own');
select matches(
    pg_temp.hint('evidence[1].observation'), 'a key; an id is written \{"id"',
    'of evidence it is told how an id is written');
select doesnt_match(pg_temp.hint('survivor'), 'is a key', 'and of nothing else');

-- Result: split_document
create function pg_temp.parts(content text) returns text language sql as $$
    select string_agg(octet_length(p.part)::text, ' ' order by p.place)
    from unnest(taisce.split_document(content)) with ordinality as p (part, place)
$$;
select is(pg_temp.parts(repeat('a', 65536)), '65536', 'a message is one part');
select is(pg_temp.parts(repeat('a', 65537)), '65536 1', 'a byte more makes two');
select is(pg_temp.parts(''), '0', 'an empty text is one part too');
select is(
    pg_temp.parts(repeat('a', 100) || E'\n\n' || repeat('b', 65000) || E'\n' || repeat('c', 40000)),
    '102 65001 40000', 'after a paragraph rather than after a line');
select is(
    pg_temp.parts(repeat('a', 100) || E'\n' || repeat('b ', 40000)),
    '101 65536 14464', 'after a line rather than after a word');
select is(
    pg_temp.parts(repeat('word ', 20000)), '65535 34465', 'after a word rather than inside one');
select is(
    pg_temp.parts(repeat('ß', 32769)), '65536 2', 'a character is not cut');
select is(
    array_to_string(taisce.split_document(t.content), ''), t.content, 'together they are the text')
from (values (repeat(E'Zoë rows.\n\n', 20000))) as t (content);
select is(
    pg_temp.parts(repeat('a', 65536) || E'\n \n'), '65536', 'blanks alone are no part');

-- Result: stamps
select is(taisce.take_stamp(9001) > '2024-01-01Z', true, 'a stamp is later than the last');
select is(pg_temp.stamp() <= clock_timestamp(), true, 'and is the clock''s');
select taisce.accept_stamp(9001, '2900-01-01Z');
select is(pg_temp.stamp(), '2900-01-01Z'::timestamptz, 'a stamp that was given moves the clock on');
select taisce.accept_stamp(9001, '2024-01-01Z');
select is(pg_temp.stamp(), '2900-01-01Z'::timestamptz, 'and never back');
select is(
    taisce.take_stamp(9001), '2900-01-01 00:00:00.000001Z'::timestamptz,
    'the next is a microsecond later, whatever the clock says');
select is(
    taisce.take_stamp(9001, 3), '2900-01-01 00:00:00.000002Z'::timestamptz, 'several are taken');
select is(
    pg_temp.stamp(), '2900-01-01 00:00:00.000004Z'::timestamptz, 'one microsecond apart');

-- Result: digests and keys
create function pg_temp.digest(title text, messages text) returns bytea language sql as $$
    select taisce.observation_digest('turn', 's1', '2024-01-01Z', null, title, null, null, messages::jsonb)
$$;
select is(
    pg_temp.digest(null, '[{"role": "user", "content": "a", "occurred_at": null}]'),
    pg_temp.digest(null, '[{"content": "a", "role": "user"}]'),
    'a field that is null is one that is left out');
select isnt(
    pg_temp.digest('a', '[]'), pg_temp.digest(null, '[]'), 'a title counts');
select isnt(
    pg_temp.digest(null, '[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]'),
    pg_temp.digest(null, '[{"role": "user", "content": "b"}, {"role": "user", "content": "a"}]'),
    'the order of messages counts');
create function pg_temp.key(predicate text, value text, statement text, subject text default null)
returns uuid language sql as $$
    select taisce.fact_content_key(9001, 'attribute', taisce.make_id('e', 9001, '1'), predicate,
        null, value, statement, 'user', subject, '-infinity', 'infinity')
$$;
select is(pg_temp.key('p', 'v', 's'), pg_temp.key('p', 'v', 's'), 'the same content is the same fact');
select is(
    (select count(distinct k.key) from (values
        (pg_temp.key('p', 'v', 's')), (pg_temp.key(null, 'v', 's')), (pg_temp.key('', 'v', 's')),
        (pg_temp.key('p', null, 's')), (pg_temp.key('p', '', 's')), (pg_temp.key('p', 's', 'v')),
        (pg_temp.key('p', 'v', 's', 'x')), (pg_temp.key('p', E'v\x1f1=s', '')),
        (pg_temp.key('p', 'v', E'1=s\x1f'))) as k (key)),
    9::bigint, 'whatever differs makes another, and null is not empty');
select isnt(
    taisce.claim_key(9001, taisce.make_id('o', 9001, '1'), 1, 11, 12, 'a'),
    taisce.claim_key(9001, taisce.make_id('o', 9001, '1'), 11, 1, 12, 'a'),
    'numbers of a span do not run together');
select is(
    taisce.claim_key(9001, taisce.make_id('o', 9001, '1'), 1, 11, 12, 'a'),
    taisce.claim_key(9002, taisce.make_id('o', 9001, '1'), 1, 11, 12, 'a'),
    'the observation stands for the project');

select * from finish();
rollback;
