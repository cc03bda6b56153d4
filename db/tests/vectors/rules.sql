-- What searches by vectors rest on: lengths, names of models, parts of nearness, neighbours.
begin;
select plan(25);

-- Given
\ir ../refusal.psql
create function pg_temp.hits(variadic similarities double precision[]) returns taisce.vector_hit[]
language sql as $$
    select array_agg(row(gen_random_uuid(), s.similarity, null, false)::taisce.vector_hit
        order by s.place)
    from unnest(similarities) with ordinality as s (similarity, place)
$$;
create function pg_temp.parts(hits taisce.vector_hit[], most integer default null) returns text
language sql as $$
    select string_agg(round(h.similarity::numeric, 2)::text, ' ' order by h.place)
    from unnest(taisce.in_parts(hits, most)) with ordinality
        as h (item_id, similarity, input_digest, approximate, place)
$$;
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "a", "data_subject_id": "s1", "messages": [
      {"role": "user", "content": "0"}, {"role": "tool", "content": "1"},
      {"role": "user", "content": "2"}, {"role": "user", "content": "3"},
      {"role": "user", "content": "4"}, {"role": "user", "content": "5"},
      {"role": "user", "content": "6"}]}'),
(2, '{"type": "observation", "key": "b", "data_subject_id": "s2", "messages": [
      {"role": "user", "content": "7"}]}');
select memory_v1.create_project('north');
select count(*) from memory_v1.load('north');
create function pg_temp.around(
    contents text[], roles text[] default '{user,tool}', subject text default null
) returns text language sql as $$
    select string_agg(m.content, ',' order by m.content)
    from taisce.project as p
    cross join lateral taisce.spots_around(p.project_id, array(
        select i.passage_id from taisce.message as i where i.content = any (contents)),
        roles, subject) as s
    join taisce.message as m on m.passage_id = s.passage_id
    where p.name = 'north'
$$;

-- Result: check_length, check_direction
select is(
    pg_temp.refusal($$ select taisce.check_length('[0,0]') $$),
    'TS005 query_embedding must have a length that is not zero', 'zeros point nowhere');
select is(
    pg_temp.refusal($$ select taisce.check_direction('[0,0]') $$),
    'TS002 query_embedding must have a length that is not zero', 'in a recall too');
select is(pg_temp.refusal($$ select taisce.check_length('[0,1e-29]') $$), 'none', 'short is no fault');
select isnt(
    pg_temp.refusal($$ select taisce.check_length('[0,1e-31]') $$), 'none',
    'but what no product could tell from zero');
select is(pg_temp.refusal($$ select taisce.check_length('[1e29,0]') $$), 'none', 'nor is long');
select isnt(
    pg_temp.refusal($$ select taisce.check_length('[1e31,0]') $$), 'none',
    'but what no product could hold');

-- Result: model_identity
select is(taisce.model_identity('m', ''), 'm', 'a model without a revision is its name');
select is(taisce.model_identity('m', '7'), 'm@7', 'one with a revision is both');

-- Result: in_parts
select is(
    pg_temp.parts(pg_temp.hits(0.9, 0.7, 0.5)), '1.00 0.50 0.00', 'the nearest is 1, the last 0');
select is(pg_temp.parts(pg_temp.hits(0.4)), '1.00', 'one alone is the nearest');
select is(pg_temp.parts(pg_temp.hits(0.4, 0.4)), '1.00 1.00', 'as are two of the same');
select is(
    pg_temp.parts(pg_temp.hits(0.9, 0.7, 0.5, 0.3), 3), '1.00 0.50 0.00 0.00',
    'those behind the first few have no part');
select is(pg_temp.parts('{}'), null, 'of none nothing is left');

-- Result: vector_weight
select is(taisce.vector_weight('message'), 0.3::double precision, 'messages have the passages'' weight');
select is(
    taisce.vector_weight('fact'),
    (select value::double precision from taisce.setting where name = 'fact_weight_vectors'),
    'facts their own');
select is(taisce.vector_weight('report'), null::double precision, 'reports none');

-- Result: spots_around
select is(pg_temp.around('{3}'), '2,3,4', 'a message and those beside it');
select is(pg_temp.around('{0}'), '0,1', 'the first has none before it');
select is(pg_temp.around('{6}'), '5,6', 'the last none after it');
select is(pg_temp.around('{2,4}'), '1,2,3,4,5', 'what two have between them comes once');
select is(pg_temp.around('{1,5}'), '0,1,2,4,5,6', 'what lies further apart is not all read');
select is(pg_temp.around('{2}', '{user}'), '2,3', 'only messages of these roles');
select is(pg_temp.around('{2,7}', subject => 's2'), '7', 'and of this person');
update taisce.message set content = null where content = '4';
select is(pg_temp.around('{3}'), '2,3', 'no released text');
update taisce.message set retention_until = now() where content = '2';
select is(pg_temp.around('{3}'), '3', 'and none whose retention has passed');

select * from finish();
rollback;
