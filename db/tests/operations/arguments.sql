-- What operations check before they read: ranges, ids, labels, vectors, times.
begin;
select plan(48);

-- Given
\ir ../refusal.psql
create function pg_temp.range(value integer) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.check_range(%L, ''k'', 1, 50)', value))
$$;
create function pg_temp.ids(ids text) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.check_ids(%L, ''entity_ids'', 2)', ids))
$$;
create function pg_temp.label(value text) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.check_label(%L, ''predicate'', 4)', value))
$$;
create function pg_temp.instant(value jsonb) returns text language plpgsql as $$
begin
    return taisce.read_instant(value, 'at') at time zone 'UTC';
exception when sqlstate 'TS005' then
    return 'refused';
end $$;
create function pg_temp.time(scope jsonb, regime text default null) returns text
language sql as $$
    select pg_temp.refusal(format('select taisce.check_time(%L, %L)', scope, regime))
$$;
create function pg_temp.one() returns text language sql as
$$ select '11111111-1111-1111-1111-111111111111' $$;
create function pg_temp.two() returns text language sql as
$$ select '22222222-2222-2222-2222-222222222222' $$;

-- Result: check_range
select is(pg_temp.range(1), 'none', 'the lowest will do');
select is(pg_temp.range(50), 'none', 'so will the highest');
select is(pg_temp.range(0), 'TS005 k must be between 1 and 50, not 0', 'one less is refused');
select is(pg_temp.range(51), 'TS005 k must be between 1 and 50, not 51', 'and one more');
select is(pg_temp.range(null), 'TS005 k must be between 1 and 50, not null', 'and none');

-- Result: check_ids
select is(pg_temp.ids('{' || pg_temp.one() || '}'), 'none', 'one id will do');
select is(pg_temp.ids('{' || pg_temp.one() || ',' || pg_temp.two() || '}'), 'none', 'as will the most');
select is(
    pg_temp.ids('{}'), 'TS005 entity_ids must be 1 to 2 distinct ids without nulls', 'none is refused');
select isnt(pg_temp.ids(null), 'none', 'null is refused');
select isnt(pg_temp.ids('{' || pg_temp.one() || ',null}'), 'none', 'a null among them is refused');
select isnt(
    pg_temp.ids('{' || pg_temp.one() || ',' || pg_temp.one() || '}'), 'none', 'one twice is refused');
select isnt(
    pg_temp.ids(format('{%s,%s,33333333-3333-3333-3333-333333333333}', pg_temp.one(), pg_temp.two())),
    'none', 'more than the most are refused');
select isnt(
    pg_temp.ids(format('{{%s},{%s}}', pg_temp.one(), pg_temp.two())), 'none', 'a table is refused');

-- Result: check_label
select is(pg_temp.label(null), 'none', 'nothing is left open');
select is(pg_temp.label('abcd'), 'none', 'as many bytes as allowed');
select is(
    pg_temp.label('abcde'), 'TS005 predicate must not be blank and holds at most 4 bytes, not 5',
    'one more is refused');
select is(pg_temp.label('ßß'), 'none', 'bytes count');
select isnt(pg_temp.label('ßßa'), 'none', 'not characters');
select isnt(pg_temp.label(''), 'none', 'an empty one is refused');
select isnt(pg_temp.label(E' \t'), 'none', 'and a blank one');
select isnt(pg_temp.label(U&'\3000'), 'none', 'blank as Unicode has it, on every server');

-- Result: check_vector
select is(
    pg_temp.refusal($$ select taisce.check_vector(true, 'm') $$), 'none', 'a vector with its model');
select is(pg_temp.refusal('select taisce.check_vector(false, null)'), 'none', 'or neither');
select is(
    pg_temp.refusal('select taisce.check_vector(true, null)'),
    'TS005 query_embedding and embedding_model must be given together', 'no vector without model');
select isnt(
    pg_temp.refusal($$ select taisce.check_vector(false, 'm') $$), 'none', 'no model without vector');
select isnt(
    pg_temp.refusal($$ select taisce.check_vector(true, ' ') $$), 'none', 'no model without name');

-- Result: read_instant
select is(pg_temp.instant('"2024-02-29T23:59:59Z"'), '2024-02-29 23:59:59', 'a leap day');
select is(pg_temp.instant('"2000-02-29T00:00Z"'), '2000-02-29 00:00:00', 'also of a fourth century');
select is(pg_temp.instant('"1900-02-29T00:00Z"'), 'refused', 'and of no other century');
select is(pg_temp.instant('"2023-02-29T00:00Z"'), 'refused', 'nor of another year');
select is(pg_temp.instant('"2024-04-31T00:00Z"'), 'refused', 'a short month is short');
select is(pg_temp.instant('"2024-03-01T00:00:00"'), 'refused', 'a zone is needed');
select is(pg_temp.instant('"2024-03-01T00:00+02:00"'), '2024-02-29 22:00:00', 'and used');
select is(pg_temp.instant('"2024-03-01T24:00Z"'), 'refused', 'a day ends at its end');
select is(pg_temp.instant('"2024-03-01"'), 'refused', 'a day is no instant');
select is(pg_temp.instant('"now"'), 'refused', 'nor is a word');
select is(pg_temp.instant('20240301'), 'refused', 'nor a number');
select is(pg_temp.instant('null'), null, 'null is none');

-- Result: check_time
select is(pg_temp.time(null), 'none', 'no scope is the present');
select is(
    pg_temp.time('{"mode": "at"}'), 'TS005 time_scope of mode at needs at', 'an instant is needed');
select is(
    pg_temp.time('{"mode": "at", "at": null}'),
    'TS005 time_scope.at must be an instant with its zone', 'and null is none');
select is(
    pg_temp.time('{"mode": "current", "at": "2024-03-01T00:00Z"}'),
    'TS005 time_scope of mode current has no other keys than mode, believed_at',
    'a key of another mode is refused');
select is(
    pg_temp.time('{"mode": "overlap", "from": "2024-03-01T00:00Z", "to": "2024-03-01T00:00Z"}'),
    'none', 'an interval may be one instant');
select is(
    pg_temp.time('{"mode": "overlap", "from": "2024-03-01T00:00:01Z", "to": "2024-03-01T00:00Z"}'),
    'TS005 time_scope.to must not be before time_scope.from', 'it does not run back');
select is(
    pg_temp.time('{"mode": "soon"}'),
    'TS005 time_scope.mode must be current, at, overlap or history', 'an unknown mode is refused');
select is(pg_temp.time('[]'), 'TS005 time_scope must be an object', 'a list is no scope');
select is(
    pg_temp.time(null, 'as_was'), 'TS005 identity_regime must be current or as_of',
    'an unknown regime is refused');
select is(pg_temp.time(null, 'as_of'), 'none', 'a known one is not');

select * from finish();
rollback;
