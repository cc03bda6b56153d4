-- taisce.render_facts: facts with their names, their earliest visible evidence, and what they cost.
begin;
select plan(17);

-- Given
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "late", "data_subject_id": "s1", "messages": [
      {"role": "user", "content": "Well, Zoë rows. Indeed Zoë rows."}]}'),
(2, '{"type": "observation", "key": "later", "data_subject_id": "s1", "messages": [
      {"role": "user", "content": "Zoë rows"}]}'),
(3, '{"type": "fact", "key": "f", "subject": "Zoë", "predicate": "does", "value": "rowing",
      "statement": "Zoë rows", "evidence": [
        {"observation": "later", "quote": "Zoë rows"},
        {"observation": "late", "quote": "Zoë rows", "byte_start": 24},
        {"observation": "late", "quote": "Zoë rows", "byte_start": 6}]}');
select memory_v1.create_project('north');
select count(*) from memory_v1.load('north');
create function pg_temp.rendered(
    roles text[] default '{user}', subject text default null, each integer default 5,
    hops integer default 1, as_known_at timestamptz default null
) returns table (item jsonb, cost integer, released boolean, said text)
language sql as $$
    select r.item, r.cost, r.released, r.said
    from taisce.project as p
    cross join lateral taisce.render_facts(
        p.project_id,
        array(
            select row(v.fact_id, hops, 1, v.subject_entity_id, v.predicate, v.object_entity_id,
                v.valid_from, v.valid_to, v.known_from, v.known_to, v.source_role, v.fact_id,
                v.subject_entity_id, null, 'knows')::taisce.walk_fact
            from taisce.fact_version as v),
        '{Ann}', roles, subject, each,
        taisce.time_scope(p.project_id, null, as_known_at, interval '0')) as r
    where p.name = 'north'
$$;
create function pg_temp.starts(each integer) returns text language sql as $$
    select string_agg(e.value ->> 'byte_start', ' ' order by e.place)
    from pg_temp.rendered(each => each) as r
    cross join lateral jsonb_array_elements(r.item -> 'evidence') with ordinality as e (value, place)
$$;

-- Result: evidence
select is(pg_temp.starts(5), '6 24 0', 'earliest told first, and within a message by place');
select is(pg_temp.starts(2), '6 24', 'no more than were asked for');
select is(pg_temp.starts(1), '6', 'the first of them');
select is(
    (select item -> 'evidence_total' from pg_temp.rendered(each => 1)), '3', 'all are counted');
select is(
    (select cardinality(string_to_array(said, E'\x1f')) from pg_temp.rendered(each => 1)), 3,
    'and all messages behind it are known');
select is_empty($$ select * from pg_temp.rendered('{tool}') $$, 'without visible evidence no fact');
select is_empty($$ select * from pg_temp.rendered(subject => 's2') $$, 'nor for another person');
select isnt_empty($$ select * from pg_temp.rendered(subject => 's1') $$, 'for him there is');
update taisce.fact_evidence as e set linked_at = 'infinity' from taisce.observation as o
where o.observation_id = e.observation_id and o.idempotency_key = 'late';
select is(
    (select item -> 'evidence_total' from pg_temp.rendered(as_known_at => clock_timestamp())), '1',
    'what was linked later was not known then');
select is((select item -> 'evidence_total' from pg_temp.rendered()), '3', 'and is known now');

-- Result: cost, in characters: 3 Zoë, 4 does, 6 rowing, 8 Zoë rows, 4 user; quote and context.
select is(
    (select cost from pg_temp.rendered(each => 1)), 25 + 8 + 32, 'a fact costs what it shows');
select is(
    (select cost from pg_temp.rendered(each => 5)), 25 + 3 * 8 + 2 * 32 + 8, 'each quote too');
select is(
    (select cost from pg_temp.rendered(each => 1, hops => 2)),
    25 + 8 + 32 + length('Ann') + length('Zoë') + length('knows') + length('does'),
    'and its route');
select is(
    (select item -> 'path' from pg_temp.rendered(hops => 2)), '["Ann", "Zoë"]', 'which is told');
select is((select item -> 'via' from pg_temp.rendered(hops => 1)), '[]', 'only beyond one hop');

-- Result: released
select is((select released from pg_temp.rendered(each => 1)), false, 'the text is there');
update taisce.message as m set content = null from taisce.observation as o
where o.observation_id = m.observation_id and o.idempotency_key = 'late';
select is((select released from pg_temp.rendered(each => 1)), true, 'that it is gone is told');

select * from finish();
rollback;
