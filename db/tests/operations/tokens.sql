-- Where answers go on: what a continuation keeps, and that no other text passes for one.
begin;
select plan(19);

-- Given
\ir ../refusal.psql
create function pg_temp.id(number integer) returns uuid language sql immutable as $$
    select lpad(number::text, 32, '0')::uuid
$$;
create function pg_temp.pooled(number integer, score double precision, why text)
returns taisce.pooled language sql as $$
    select row(pg_temp.id(number), score, null, null, why, null)::taisce.pooled
$$;
create function pg_temp.page() returns text language sql as $$
    select taisce.write_page_token(
        'F', '2024-03-01T00:00:00.000001Z', substr(sha256('asked'), 1, 16), 129,
        array[pg_temp.id(7)],
        array[pg_temp.pooled(1, 0.12344, 'words'), pg_temp.pooled(2, null, 'fact')],
        array[pg_temp.pooled(3, 1, 'vectors')])
$$;
create function pg_temp.read(token text, kind text default 'F', asked text default 'asked')
returns taisce.page_token language sql as $$
    select taisce.read_page_token(token, kind, substr(sha256(asked::bytea), 1, 16))
$$;
create function pg_temp.refused(token text, kind text default 'F', asked text default 'asked')
returns text language sql as $$
    select pg_temp.refusal(format('select pg_temp.read(%L, %L, %L)', token, kind, asked))
$$;

-- Result: pages
select is((pg_temp.read(pg_temp.page())).evaluated_at, '2024-03-01T00:00:00.000001Z'::timestamptz,
    'the instant comes back to the microsecond');
select is((pg_temp.read(pg_temp.page())).near, 129, 'so does the count of neighbours');
select is((pg_temp.read(pg_temp.page())).entities, array[pg_temp.id(7)], 'and the entities');
select is(
    (select array_agg(row(i.item_id, i.score, i.why)::text order by i.item_id)
     from unnest((pg_temp.read(pg_temp.page())).first_list) as i),
    array[
        row(pg_temp.id(1), 0.1234::double precision, 'words')::text,
        row(pg_temp.id(2), null, 'fact')::text],
    'and the items left, scores in ten-thousandths');
select is(
    (select array_agg(i.item_id) from unnest((pg_temp.read(pg_temp.page())).second_list) as i),
    array[pg_temp.id(3)], 'of both lists');
select is(
    taisce.write_page_token('F', now(), substr(sha256('asked'), 1, 16), 0, '{}', '{}', null), null,
    'where nothing is left there is no continuation');
select is(pg_temp.refused(pg_temp.page()), 'none', 'its own call takes it');
select is(
    pg_temp.refused(pg_temp.page(), 'T'),
    'TS005 continuation is not one that this call gave', 'another operation does not');
select isnt(pg_temp.refused(pg_temp.page(), 'F', 'asked else'), 'none', 'nor other arguments');
select isnt(pg_temp.refused(left(pg_temp.page(), -4)), 'none', 'a part of one is none');
select isnt(pg_temp.refused(pg_temp.page() || 'AAAA'), 'none', 'one and more is none');
select isnt(pg_temp.refused('quillwort'), 'none', 'nor is a word');
select isnt(pg_temp.refused(repeat('A', 32772)), 'none', 'nor is a long text');
select isnt(
    pg_temp.refused(taisce.write_page_token(
        'F', statement_timestamp() + interval '1 hour', substr(sha256('asked'), 1, 16), 0, '{}',
        array[pg_temp.pooled(1, 1, 'words')], '{}')),
    'none', 'nor is one of an hour to come');

-- Result: sides
create function pg_temp.sides(subject text) returns text language sql as $$
    select taisce.write_sides_token(
        pg_temp.id(1), pg_temp.id(2), null, '{user,tool}', subject,
        taisce.check_time('{"mode": "at", "at": "0044-03-15T00:00Z"}', null))
$$;
select is(
    (select row(s.group_id, s.after, s.without, s.roles, s.subject)
     from taisce.read_sides_token(pg_temp.sides('Zoë, "s1"')) as s),
    row(pg_temp.id(1), pg_temp.id(2), null::uuid, '{user,tool}'::text[], 'Zoë, "s1"'::text),
    'the sides go on where they ended, for any subject');
select is(
    (select (s.asked).at from taisce.read_sides_token(pg_temp.sides(null)) as s),
    '0044-03-15 00:00+00'::timestamptz, 'at the time that was asked for');
select is(
    (select s.subject from taisce.read_sides_token(pg_temp.sides(null)) as s), null,
    'no subject is none');
select is(
    pg_temp.refusal($$ select taisce.read_sides_token(left(pg_temp.sides('s1'), -2)) $$),
    'TS005 continuation is not one that an answer gave', 'a part of one is none');
select isnt(
    pg_temp.refusal($$ select taisce.read_sides_token(repeat('61', 8193)) $$), 'none',
    'nor is a long text');

select * from finish();
rollback;
