-- Pages of inspection: how many rows, and where they go on.
begin;
select plan(16);

-- Given
\ir ../refusal.psql
create function pg_temp.rows(max_rows integer) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.page_rows(%L, 20, 50)', max_rows))
$$;
create function pg_temp.cursor(cursor text) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.read_cursor(%L, ''records'', ''(\d+)'')', cursor))
$$;

-- Result: page_rows
select is(taisce.page_rows(null, 20), 20, 'a page is as long as usual');
select is(taisce.page_rows(1, 20, 50), 1, 'or as short as one row');
select is(taisce.page_rows(50, 20, 50), 50, 'or as long as may be');
select is(pg_temp.rows(0), 'TS005 max_rows must be between 1 and 50, not 0', 'no row is refused');
select is(pg_temp.rows(51), 'TS005 max_rows must be between 1 and 50, not 51', 'as is one more');
select is(taisce.page_rows(100, 20), 100, 'the most is 100 unless said otherwise');

-- Result: cursors
select is(
    taisce.read_cursor(taisce.write_cursor('records', '42'), 'records', '(\d+)'), array['42'],
    'the key comes back');
select is(taisce.write_cursor('records', null), null, 'after the last page there is none');
select is(taisce.read_cursor(null, 'records', '(\d+)'), null, 'no cursor is the first page');
select is(
    pg_temp.cursor(taisce.write_cursor('entities', '42')),
    'TS005 after is not a continuation that this call gave', 'that of another list is refused');
select isnt(pg_temp.cursor(taisce.write_cursor('records', '42x')), 'none', 'so is another shape');
select isnt(pg_temp.cursor(taisce.write_cursor('records', E'42\n')), 'none',
    'and a line after it');
select isnt(pg_temp.cursor(''), 'none', 'an empty text is none');
select isnt(pg_temp.cursor('7265636f7264'), 'none', 'nor is a part');
select isnt(pg_temp.cursor('ff'), 'none', 'nor are bytes that are no text');
select isnt(
    pg_temp.cursor(taisce.write_cursor('records', repeat('4', 250))), 'none', 'nor is a long one');

select * from finish();
rollback;
