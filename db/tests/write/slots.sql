-- taisce.slot_is_taken: whether another fact holds the one value of a predicate in a window.
begin;
select plan(14);

-- Given: Cork from 2020 to 2022, as ann's own word.
\set writer slots_writer
\set reader slots_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);
update taisce.fact_version set valid_to = '2022-01-01Z';
create function pg_temp.taken(
    valid_from timestamptz, valid_to timestamptz, change jsonb default '{}'
) returns boolean language sql as $$
    select taisce.slot_is_taken(
        jsonb_populate_record(f, '{"fact_id": "00000000-0000-8000-8000-000000000001"}' || change),
        taken.valid_from, taken.valid_to)
    from taisce.fact as f
$$;

-- Result
select ok(pg_temp.taken('2021-01-01Z', '2021-06-01Z'), 'a window inside is taken');
select ok(pg_temp.taken('2019-01-01Z', 'infinity'), 'as is one around it');
select ok(not pg_temp.taken('2022-01-01Z', 'infinity'), 'one that begins at its end is free');
select ok(not pg_temp.taken('-infinity', '2020-01-01Z'), 'as is one that ends at its beginning');
select ok(
    pg_temp.taken('-infinity', '2020-01-01T00:00:00.000001Z'), 'a microsecond more is taken');
select ok(
    pg_temp.taken('2021-12-31T23:59:59.999999Z', 'infinity'), 'at the other end too');
select ok(
    not pg_temp.taken('2021-01-01Z', '2021-06-01Z', '{"predicate": "works_in"}'),
    'another predicate has its own slot');
select ok(
    not pg_temp.taken('2021-01-01Z', '2021-06-01Z', '{"source_role": "tool"}'),
    'as has another role');
select ok(
    not pg_temp.taken('2021-01-01Z', '2021-06-01Z', '{"data_subject_id": null}'),
    'and another person');
select ok(
    not pg_temp.taken('2021-01-01Z', '2021-06-01Z', '{"cardinality": "many"}'),
    'of a predicate of many values none is taken');
select ok(
    not taisce.slot_is_taken(f, '2021-01-01Z', '2021-06-01Z'), 'a fact is not in its own way')
from taisce.fact as f;
update taisce.fact_version set contested = true;
select ok(
    not pg_temp.taken('2021-01-01Z', '2021-06-01Z'), 'what is contradicted holds no slot');
update taisce.fact_version set contested = false, known_to = 'infinity'::timestamptz;
select ok(pg_temp.taken('2021-01-01Z', '2021-06-01Z'), 'what stands alone does');
update taisce.fact_version set known_to = clock_timestamp(), live = false;
select ok(not pg_temp.taken('2021-01-01Z', '2021-06-01Z'), 'what is no more believed does not');

select * from finish();
rollback;
