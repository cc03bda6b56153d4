-- taisce.date_tokens: dates that a text spells out, in one form.
begin;
select plan(24);

-- Given
create function pg_temp.of(body text) returns text language sql as $$
    select string_agg(distinct d, ' ' order by d) from taisce.date_tokens(body) as d
$$;
-- The names, one a month, each read as "NAME 2026": whether they are the months 1 to 12 in order.
create function pg_temp.months(names text) returns text language sql as $$
    select string_agg(pg_temp.of(n.name || ' 2026'), ' ' order by n.place)
    from string_to_table(names, ' ') with ordinality as n (name, place)
$$;
\set all_months '2026-01 2026-02 2026-03 2026-04 2026-05 2026-06 2026-07 2026-08 2026-09 2026-10 2026-11 2026-12'

-- Result: one day in every form
select is(pg_temp.of(b.body), '2026-01 2026-01-05', b.body)
from (
    values
    (1, '2026-01-05'), (2, '2026/1/5'), (3, 'am 5.1.2026.'), (4, '5 January 2026'),
    (5, 'January 5th, 2026'), (6, '5. Januar 2026'), (7, '5 de enero de 2026'),
    (8, '5 JANVIER 2026')
) as b (place, body)
order by b.place;

-- Result: months
select is(
    pg_temp.months('January February March April May June July August September October November December'),
    :'all_months', 'months in English');
select is(
    pg_temp.months('Januar Februar März April Mai Juni Juli August September Oktober November Dezember'),
    :'all_months', 'in German');
select is(
    pg_temp.months('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
    :'all_months', 'in French');
select is(
    pg_temp.months('enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'),
    :'all_months', 'in Spanish');
select is(pg_temp.of('in 2026-01'), '2026-01', 'a month alone has no day');

-- Result: boundaries
select is(pg_temp.of('2026-12-31'), '2026-12 2026-12-31', 'the last day of the last month');
select is(pg_temp.of('2026-12-32'), '2026-12', 'no day 32');
select is(pg_temp.of('2026-12-00'), '2026-12', 'nor 0');
select is(pg_temp.of('2026-13-05'), null, 'no month 13');
select is(pg_temp.of('2026-00-05'), null, 'nor 0');
select is(pg_temp.of('12026-01-05'), null, 'a year has four digits, no more');
select is(pg_temp.of('226-01-05'), null, 'and no fewer');
select is(pg_temp.of('5 January'), null, 'a day without a year is none');
select is(pg_temp.of('room 2026 in May'), null, 'a number and a month apart are none');
select is(pg_temp.of(''), null, 'no text has none');
select is(
    (select count(*) from taisce.date_tokens('2026-01, and 2026-01 again')), 2::bigint,
    'a date comes as often as in the text');

select * from finish();
rollback;
