-- taisce.word_query: the words of a query that texts have, rarest first, at most 64.
begin;
select plan(10);

-- Given: a message with 70 words, of which another has 60 as well, and a third one.
select memory_v1.create_project('north');
create function pg_temp.words(first integer, last integer) returns text language sql as $$
    select string_agg('w' || lpad(n::text, 2, '0') || 'x', ' ' order by n)
    from generate_series(first, last) as n
$$;
insert into memory_v1.load_stage (line, body)
select n, jsonb_build_object('type', 'observation', 'key', 't' || n, 'messages', jsonb_build_array(
    jsonb_build_object('role', 'user', 'content', c.content)))
from (
    values (1, pg_temp.words(1, 70)), (2, pg_temp.words(11, 70)), (3, 'w70x')
) as c (n, content);
select count(*) from memory_v1.load('north');
create function pg_temp.query(query text) returns taisce.word_terms language sql as $$
    select taisce.word_query(p.project_id, 'message', query)
    from taisce.project as p where p.name = 'north'
$$;
create function pg_temp.complete(query text) returns boolean language sql as $$
    select bool_and(l.complete) from memory_v1.lexical_passages(query, project => 'north') as l
$$;

-- Result
select is(
    (pg_temp.query('w70x w01x w11x nothing')).terms, '{w01x,w11x,w70x}'::text[],
    'words come rarest first, those that no text has not at all');
select is(
    (pg_temp.query('w70x w01x w11x nothing')).documents, '{1,2,3}'::bigint[],
    'with how many texts have them');
select is((pg_temp.query('w70x w01x w11x nothing')).unknown, 1, 'one is counted as unknown');
select is(
    (
        select array_agg(round(w::numeric, 4)) from unnest(
            (pg_temp.query('w70x w01x w11x')).weights) as w
    ),
    array[
        round(ln(1 + 2.5 / 1.5), 4), round(ln(1 + 1.5 / 2.5), 4), round(ln(1 + 0.5 / 3.5), 4)
    ],
    'and what they weigh');

select is(
    (
        select row(b.asked, b.reference, b.terms)::text
        from taisce.project as p
        cross join lateral taisce.word_query(p.project_id, 'claim', 'w70x w01x') as a
        cross join lateral taisce.word_query(p.project_id, 'message', '', a) as b
        where p.name = 'north'
    ),
    (
        select row(q.asked, q.reference, q.terms)::text from pg_temp.query('w70x w01x') as q
    ),
    'what another space''s row says of query and project is not read again');

-- Result: limit
select is(
    (
        select cardinality(q.terms) || ' ' || q.dropped || ' ' || q.unknown
        from pg_temp.query(pg_temp.words(1, 64)) as q
    ),
    '64 0 0', '64 words are asked for');
select is(
    (
        select cardinality(q.terms) || ' ' || q.dropped || ' ' || q.unknown
        from pg_temp.query(pg_temp.words(1, 70) || ' nothing') as q
    ),
    '64 6 1', 'of more the most common are left out, and counted');
select ok(
    not 'w70x' = any ((pg_temp.query(pg_temp.words(1, 70))).terms), 'the one of three texts first');
select ok(pg_temp.complete(pg_temp.words(1, 64)), 'an answer to all words is complete');
select ok(not pg_temp.complete(pg_temp.words(1, 65)), 'one to a part of them says that it is not');

select * from finish();
rollback;
