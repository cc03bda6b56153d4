-- taisce.tokens: lexemes, exact names and dates.
begin;
select plan(7);

create function pg_temp.of(body text, configuration text default 'english')
returns text language sql as $$
    select string_agg(term, ' ' order by term collate "C")
    from taisce.tokens(body, configuration)
$$;

-- Result
select is(pg_temp.of('The cats were running'), 'cat run', 'words are stemmed, small ones dropped');
select is(pg_temp.of('we met Will and Barnes'), '=barnes =will barn met',
    'names that stemming would change are kept as they are');
select is(pg_temp.of('on 7 May 2026'), '2026 2026-05 2026-05-07 7 may', 'a date has one form');
select is(pg_temp.of('am 7. Mai 2026', 'german'), '2026 2026-05 2026-05-07 7 mai', 'in German');
select is(pg_temp.of('version 3.14 of 2026'), '2026 3.14 version', 'numbers are words');
select is(pg_temp.of('black and/or white'), 'black white', 'a slash parts words');
select is(pg_temp.of(''), null, 'no text has no words');

select * from finish();
rollback;
