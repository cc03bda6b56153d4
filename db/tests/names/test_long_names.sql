-- taisce.long_names and spells_long_name: names of more than four words inside a question.
begin;
select plan(22);

-- Given
select memory_v1.create_project('north');
select memory_v1.create_project('south');
insert into memory_v1.load_stage (line, body)
select n, jsonb_build_object('type', 'entity', 'name', name)
from unnest(array['The University of California', 'The University of California at Berkeley',
    'The University of California at Berkeley Library', '"One Two" Three, Four & Five!',
    rtrim(repeat('longer ', 200))]) with ordinality as u (name, n);
select memory_v1.load('north');
create function pg_temp.named(question text, project text default 'north')
returns text[] language sql as $$
    select taisce.long_names(
        (select p.project_id from taisce.project as p where p.name = project),
        taisce.question_terms(question, 512))
$$;
create function pg_temp.spelled(question text, name text) returns boolean language sql as $$
    select taisce.spells_long_name(taisce.question_terms(question, 512), name)
$$;

-- Contract
select volatility_is(
    'taisce', 'long_names', array['bigint', 'taisce.term_set'], 'stable');
select volatility_is(
    'taisce', 'spells_long_name', array['taisce.term_set', 'text'], 'immutable');

-- Rights
select is_empty(
    $$ select p.proname from pg_proc as p, aclexplode(p.proacl) as x
       where p.pronamespace = 'taisce'::regnamespace
         and p.proname in ('long_names', 'spells_long_name') and x.grantee <> p.proowner $$,
    'only the owner may call them');

-- Result
select is(
    pg_temp.named('Who leads the University of California at Berkeley?'),
    array['the university of california at berkeley'], 'a long name is found whole');
select is(
    pg_temp.named('Who leads the University of California at Berkeley''s board?'),
    array['the university of california at berkeley'], 'with a possessive');
select set_eq(
    $$ select unnest(pg_temp.named('is the University of California at Berkeley Library old?')) $$,
    array['the university of california at berkeley',
        'the university of california at berkeley library'],
    'a name and a longer one that begins alike');
select is(
    pg_temp.named('is the university of california in reach?'), '{}'::text[],
    'one of four words is no long name');
select is(
    pg_temp.named('the University of California at Berkeleys'), '{}'::text[],
    'a longer word is another');
select is(
    pg_temp.named('ask `the University of California at Berkeley`|Tom'),
    array['the university of california at berkeley'], 'signs may touch it');
select is(
    pg_temp.named('is ("one two" three, four & five!) it'),
    array['"one two" three, four & five!'], 'its own marks are part of it');
select is(
    pg_temp.named('is "one two" three, four & five it'), '{}'::text[], 'and may not be missing');
select is(
    pg_temp.named('so ' || repeat('longer ', 201)), array[rtrim(repeat('longer ', 200))],
    'a name too long to be its own key');
select is(
    pg_temp.named('Who leads the University of California at Berkeley?', 'south'), '{}'::text[],
    'none of another project');

select ok(pg_temp.spelled('a b c d e', 'a b c d e'), 'a name may be the question');
select ok(not pg_temp.spelled('a b c d e', 'a b c d'), 'four words are not long');
select ok(pg_temp.spelled('xa b c d e a b c d e', 'a b c d e'), 'it may come after a false start');
select ok(not pg_temp.spelled('xa b c d e', 'a b c d e'), 'it begins with a word');
select ok(not pg_temp.spelled('a b c d e-x', 'a b c d e'), 'and ends with one');
select ok(pg_temp.spelled('a b c d e''s', 'a b c d e'), 'or before a possessive');
select ok(not pg_temp.spelled('a b c d e''sx', 'a b c d e'), 'that is one');
select ok(pg_temp.spelled('x ((a b c d e', '((a b c d e'), 'marks of its own count');
select ok(not pg_temp.spelled('x ((((a b c d e', '((((a b c d e'), 'up to three');

select * from finish();
rollback;
