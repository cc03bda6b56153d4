-- taisce.check_search: arguments of a search that are out of range.
begin;
select plan(25);

-- Given
\ir ../refusal.psql
create function pg_temp.check(
    query text default 'Cork', rows integer default 1, subject text default null,
    roles text[] default null
) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.check_search(%L, %L, ''max_rows'', 50, %L, %L)',
        query, rows, subject, roles))
$$;
\set roles '''TS005 source_roles must be 1 to 5 distinct roles'''

-- Result: query
select is(pg_temp.check(), 'none', 'what is in range passes');
select is(pg_temp.check(repeat('a', 8192)), 'none', 'a query has up to 8192 bytes');
select is(
    pg_temp.check(repeat('a', 8193)), 'TS005 query must be 1 to 8192 bytes and not blank, not 8193 bytes',
    'and no more');
select is(pg_temp.check(repeat('ß', 4096)), 'none', 'bytes');
select is(
    pg_temp.check(repeat('ß', 4096) || 'a'),
    'TS005 query must be 1 to 8192 bytes and not blank, not 8193 bytes', 'not characters');
select is(
    pg_temp.check(''), 'TS005 query must be 1 to 8192 bytes and not blank, not 0 bytes', 'not empty');
select is(
    pg_temp.check(E' \n'), 'TS005 query must be 1 to 8192 bytes and not blank, not 2 bytes',
    'not blank');
select is(
    pg_temp.check(null), 'TS005 query must be 1 to 8192 bytes and not blank, not 0 bytes',
    'not missing');

-- Result: rows
select is(pg_temp.check(rows => 50), 'none', 'rows up to the most');
select is(
    pg_temp.check(rows => 51), 'TS005 max_rows must be between 1 and 50, not 51', 'and no more');
select is(pg_temp.check(rows => 0), 'TS005 max_rows must be between 1 and 50, not 0', 'one or more');
select is(
    pg_temp.check(rows => null), 'TS005 max_rows must be between 1 and 50, not null', 'a number');

-- Result: data_subject_id
select is(pg_temp.check(subject => repeat('a', 1024)), 'none', 'a person has up to 1024 bytes');
select is(
    pg_temp.check(subject => repeat('a', 1025)),
    'TS005 data_subject_id must not be blank and holds at most 1024 bytes, not 1025', 'and no more');
select is(
    pg_temp.check(subject => ' '),
    'TS005 data_subject_id must not be blank and holds at most 1024 bytes, not 1', 'and is not blank');
select isnt(pg_temp.check(subject => ''), 'none', 'nor empty');

-- Result: source_roles
select is(
    pg_temp.check(roles => '{user,assistant,system,tool,document}'), 'none', 'all five roles pass');
select is(pg_temp.check(roles => '{tool}'), 'none', 'and one');
select is(pg_temp.check(roles => '{}'), :roles, 'not none');
select is(pg_temp.check(roles => '{user,user}'), :roles, 'none twice');
select is(pg_temp.check(roles => '{user,null}'), :roles, 'none missing');
select is(pg_temp.check(roles => '{User}'), :roles, 'none of another spelling');
select is(pg_temp.check(roles => '{{user,tool}}'), :roles, 'not as a table');
select is(pg_temp.check('', 0), pg_temp.check(''), 'the first fault is told');
select throws_ok(
    $$ select taisce.check_search('Cork', 4, 'k', 3, null, null) $$, 'TS005', 'invalid_argument',
    'with the word for it');

select * from finish();
rollback;
