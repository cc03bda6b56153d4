-- memory_v1.get_entity: one entity.
begin;
select plan(15);

-- Given
\set reader meeting_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'get_entity', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.get_entity'::regproc
    ),
    array['entity_id', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('meeting_reader', 'select memory_v1.get_entity(entity_id, project => ''north'') from memory_v1.list_entities(project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('meeting_reader', 'select memory_v1.get_entity(null, project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.get_entity(entity_id, project => ''north'') from memory_v1.list_entities(project => ''north'')') $$, '42501', null,
    'nobody else may ask');

-- Given
create function pg_temp.entity(name text, project text default 'north') returns uuid
language sql as $$
    select e.entity_id from taisce.entity as e join taisce.project as p using (project_id)
    where e.canonical_name = entity.name and p.name = entity.project
$$;

-- Result
select is(
    memory_v1.get_entity(pg_temp.entity('Marta')) - '{entity_id,asked_id,first_seen_at}'::text[],
    '{"contract": "entity/v1", "identity_kind": "named", "canonical_name": "Marta",
      "entity_type": "person", "profile": "Engineer.", "speaker_subject_id": null,
      "names": [{"spelling": "Marta", "kind": "canonical", "source_observation_id": null},
        {"spelling": "Marta Nowak", "kind": "alias", "source_observation_id": null}],
      "names_more": false, "merges": [], "merges_more": false,
      "facts": {"as_subject": 2, "as_object": 0, "counted_up_to": 1000}}',
    'names, and how many current facts name it');
select is(
    memory_v1.get_entity(pg_temp.entity('Prague')) -> 'facts',
    '{"as_subject": 0, "as_object": 2, "counted_up_to": 1000}', 'also as object');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "entity", "name": "Marta N."}'),
(2, '{"type": "merge", "absorbed": "Marta N.", "survivor": "Marta"}'),
(3, '{"type": "entity", "speaker_of": "ann"}');
create temporary table absorbed (id uuid);
select memory_v1.load('north');
insert into absorbed select m.absorbed from taisce.entity_merge as m;
select is(
    memory_v1.get_entity((select a.id from absorbed as a)) ->> 'canonical_name', 'Marta',
    'a merged one leads to its survivor');
select is(
    (memory_v1.get_entity((select a.id from absorbed as a)) ->> 'asked_id')::uuid,
    (select a.id from absorbed as a), 'and the answer says what was asked for');
select is(
    (memory_v1.get_entity(pg_temp.entity('Marta')) #>> '{merges,0,absorbed}')::uuid,
    (select a.id from absorbed as a), 'merges are told');
select is(
    memory_v1.get_entity(pg_temp.entity('speaker')) ->> 'speaker_subject_id', 'ann',
    'a speaker says whose');

-- Errors
create temporary table refusal (what text, id uuid);
insert into refusal values ('an unknown entity', gen_random_uuid()),
    ('one of another project', pg_temp.entity('Marta', 'south')),
    ('one without a name', pg_temp.entity('Prague')), ('no entity', null);
update taisce.entity set status = 'retired' where canonical_name = 'Prague';
select throws_ok(
    format('select memory_v1.get_entity(%L)', r.id), 'TS004', 'not_found', r.what || ' is not found')
from refusal as r;

select * from finish();
rollback;
