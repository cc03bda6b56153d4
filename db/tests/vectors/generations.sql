-- Generations of vectors: who may keep them, what they are, what searches find.
begin;
select plan(29);

-- Given
select memory_v1.create_project('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "a", "messages": [
    {"role": "user", "content": "I moved to Dublin."},
    {"role": "user", "content": "It rains."}]}');
select memory_v1.load('north');
set local taisce.project = 'north';

-- Rights
select function_privs_are('memory_v1', f.name, f.arguments, r.role,
    case when r.role = 'taisce_admin' then array['EXECUTE'] else array[]::text[] end,
    f.name || ' for ' || r.role)
from (
    values
    ('begin_generation', array['text', 'text', 'text', 'integer', 'text', 'text']),
    ('embedding_due', array['bigint', 'bigint', 'uuid', 'integer', 'text']),
    ('settle_generation', array['bigint', 'boolean', 'text']),
    ('ready_generation', array['bigint', 'text']),
    ('index_generation', array['bigint', 'text']),
    ('activate_generation', array['bigint', 'text']),
    ('retire_generation', array['bigint', 'text'])
) as f (name, arguments)
cross join (values ('taisce_admin'), ('taisce_writer')) as r (role);
select function_privs_are('memory_v1', 'active_model', array['text', 'text'], r.role,
    array['EXECUTE'], 'active_model for ' || r.role)
from (values ('taisce_reader'), ('taisce_analyst'), ('taisce_writer')) as r (role);
select volatility_is('memory_v1', f.name, 'stable', f.name || ' writes nothing')
from (values ('embedding_due'), ('generations'), ('active_model')) as f (name);

-- Result
select is(
    (select state from memory_v1.begin_generation('message', 'toy', '', 2)), 'building',
    'a generation begins');
select is(
    (select array_agg(d.input_text order by d.input_text)
     from memory_v1.generations() as g
     cross join lateral memory_v1.embedding_due(g.generation_id) as d),
    array['user: I moved to Dublin.', 'user: It rains.'], 'with all texts due, and who speaks');
select throws_ok(
    $$ select r.* from memory_v1.generations() as g
       cross join lateral memory_v1.ready_generation(g.generation_id) as r $$,
    'TS005', 'invalid_argument', 'it is not ready before they are embedded');
select is(
    (select s.stored
     from memory_v1.generations() as g
     cross join lateral memory_v1.store_embeddings(
        g.generation_id,
        array(select d.item_id from memory_v1.embedding_due(g.generation_id) as d order by 1),
        array(select d.input_digest
              from memory_v1.embedding_due(g.generation_id) as d order by d.item_id),
        array(select format('[1,%s]', row_number() over (order by d.item_id))
              from memory_v1.embedding_due(g.generation_id) as d
              order by d.item_id)::vector[]) as s),
    2, 'both vectors are kept');
select is(
    (select r.state from memory_v1.generations() as g
     cross join lateral memory_v1.ready_generation(g.generation_id) as r), 'ready', 'ready');
select is(
    (select a.state from memory_v1.generations() as g
     cross join lateral memory_v1.activate_generation(g.generation_id) as a), 'active', 'active');
select is(
    (select count(*)::integer from memory_v1.semantic_passages(
        query_embedding => '[1,1]', embedding_model => 'toy')), 2, 'searches find them');
select throws_ok(
    $$ select * from memory_v1.semantic_passages(
        query_embedding => '[1,1]', embedding_model => 'other') $$,
    'TS011', 'embedding_mismatch', 'a vector of another model is refused');
select throws_ok(
    $$ select * from memory_v1.entity_candidates(
        query_embedding => '[1,1]', embedding_model => 'toy') $$,
    'TS014', 'unavailable', 'a space without a generation is unavailable');

select * from finish();
rollback;
