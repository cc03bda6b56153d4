-- taisce.word_candidates: which texts answer a query by their words; here those that are due.
begin;
select plan(13);

-- Given: one text is stored as it stands; at this instant it has other words, and so have others.
insert into taisce.project (project_id, name) values (9001, 'north');
create function pg_temp.id(n integer) returns uuid language sql as $$
    select lpad(n::text, 32, '0')::uuid
$$;
insert into taisce.word_document (project_id, space, number, item_id, role, data_subject_id,
    batch, slice, reference, length, terms, frequencies)
values (9001, 'fact', 1, pg_temp.id(1), 'user', 'ann', 0, 0, 10, 10, '{gone,rain}', '{1,1}');
create function pg_temp.anew(n integer, role text, subject text, times real)
returns taisce.word_text language sql as $$
    select row(n, pg_temp.id(n), role, subject, 10, '{rain,wind}', array[times, 1])::taisce.word_text
$$;
create function pg_temp.found(
    roles text[], most integer default 10, subject text default null,
    numbers bigint[] default null, last_number bigint default null, dropped integer default 0,
    depth integer default 500
) returns text language sql as $$
    select string_agg(
        h.number || case when h.complete then '' else '?' end, ' ' order by h.score desc, h.number)
    from taisce.word_candidates(
        9001, 'fact', row(
            '{rain,gone}', '{2,5}', '{4,1}', 5, 10, 10, 0, dropped, array[pg_temp.id(1)],
            array[
                pg_temp.anew(1, 'user', 'ann', 1), pg_temp.anew(2, 'user', 'bob', 2),
                pg_temp.anew(3, 'tool', 'ann', 3), pg_temp.anew(900, 'user', null, 4)
            ], '{rain,gone}'
        )::taisce.word_terms, roles, most, depth, subject, numbers, last_number) as h
$$;

-- Contract
select volatility_is('taisce', 'word_candidates', array['bigint', 'text', 'taisce.word_terms',
    'text[]', 'integer', 'integer', 'text', 'bigint[]', 'bigint'], 'stable');

-- Result: what is due has the words of this instant, and not those it is stored with
select is(pg_temp.found('{user,tool}'), '900 3 2 1', 'best first, each once');
select is(pg_temp.found('{user,tool}', numbers => '{1}'), '1', 'also where few are looked at');
select is(
    (
        select round(h.score::numeric, 6)
        from taisce.word_candidates(9001, 'fact', row('{rain,gone}', '{2,5}', '{1,1}', 1, 10, 10, 0,
            0, array[pg_temp.id(1)], array[pg_temp.anew(1, 'user', 'ann', 1)],
            '{rain,gone}')::taisce.word_terms, '{user}', 10, numbers => '{1}') as h
    ),
    round(2 * 1 / (1 + 0.3 + 0.9), 6), 'and what it is stored with adds nothing');

-- Result: filters hold for those, too
select is(pg_temp.found('{tool}'), '3', 'roles');
select is(pg_temp.found('{user,tool}', subject => 'ann'), '3 1', 'a person');
select is(pg_temp.found('{user}', subject => 'ann'), '1', 'a person and roles');
select is(pg_temp.found('{user,tool}', last_number => 2), '2 1', 'a last number');
select is(pg_temp.found('{user,tool}', numbers => '{2,3}'), '3 2', 'some numbers');
select is(
    pg_temp.found('{user,tool}', subject => 'bob', depth => 1), '2',
    'also where all that a person said is read');

-- Result: limits
select is(pg_temp.found('{user,tool}', 2), '900 3', 'no more than were asked for');
select is(pg_temp.found('{user,tool}', 0), null, 'none of none');
select is(
    pg_temp.found('{user,tool}', dropped => 1), '900? 3? 2? 1?',
    'not complete if words were dropped');

select * from finish();
rollback;
