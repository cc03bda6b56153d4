-- taisce.covered_through, has_vector_index, open_generation, vector_degrades, usable_generation,
-- needed_generation: what a generation is good for.
begin;
select plan(30);

-- Given: messages at offsets 1, 2 and 3, and a generation of their vectors.
\ir ../refusal.psql
select memory_v1.create_project('south');
select memory_v1.create_project('north');
insert into memory_v1.load_stage (line, body)
select n, jsonb_build_object('type', 'observation', 'key', n::text, 'messages',
    jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'text ' || n)))
from generate_series(1, 3) as n;
select memory_v1.load('north');
set local taisce.project = 'north';
select generation_id as id, generation_id + 1 as none
from memory_v1.begin_generation('message', 'toy', '', 2) \gset
create function pg_temp.generation() returns taisce.embedding_generation language sql as $$
    select g from taisce.embedding_generation as g
$$;
create function pg_temp.embed(content text) returns void language sql as $$
    select memory_v1.store_embeddings(
        (pg_temp.generation()).generation_id, array_agg(d.item_id), array_agg(d.input_digest),
        array_agg('[1,2]'::vector))
    from memory_v1.embedding_due((pg_temp.generation()).generation_id) as d
    where d.input_text = 'user: ' || content
$$;
create function pg_temp.covered(whole boolean) returns bigint language sql as $$
    select taisce.covered_through(pg_temp.generation(), whole)
$$;

-- Result: covered_through
select is(pg_temp.covered(true), 0::bigint, 'without a vector nothing is covered');
select pg_temp.embed('text 3');
select is(pg_temp.covered(true), 0::bigint, 'a vector behind a gap covers nothing');
select pg_temp.embed('text 1');
select is(pg_temp.covered(true), 1::bigint, 'up to the first gap');
select is(pg_temp.covered(false), 1::bigint, 'also from what was covered before');
select pg_temp.embed('text 2');
select is(pg_temp.covered(true), 3::bigint, 'without a gap all that is stored');
update taisce.embedding_generation set covered_through_offset = 2;
update taisce.message set content_digest = sha256('new'), content = 'new' where log_offset = 1;
select is(pg_temp.covered(false), 3::bigint, 'what was covered before is not looked at again');
select is(pg_temp.covered(true), 0::bigint, 'unless the whole is');
select pg_temp.embed('new');
select is(pg_temp.covered(true), 3::bigint, 'a vector of what it says now covers it');

-- Result: open_generation
select is(
    (select g.space from taisce.open_generation(:id, 'north') as g), 'message',
    'a generation of the project');
select is(
    pg_temp.refusal('select taisce.open_generation(' || :none || ', ''north'')'),
    'TS004 generation_id names no generation of this project', 'none that is not there');
select is(
    pg_temp.refusal('select taisce.open_generation(' || :id || ', ''south'')'),
    'TS004 generation_id names no generation of this project', 'nor one of another project');
select is(
    pg_temp.refusal('select taisce.open_generation(null, ''north'')'),
    'TS004 generation_id names no generation of this project', 'nor none at all');

-- Result: has_vector_index
select is(taisce.has_vector_index(77), false, 'a generation without an index has none');
create table taisce.embedding_77 (n integer);
select is(taisce.has_vector_index(77), false, 'a partition alone is none');
create index embedding_77_near on taisce.embedding_77 (n);
select is(taisce.has_vector_index(77), true, 'its index is one');
select is(taisce.has_vector_index(7), false, 'of this generation');
update pg_index set indisvalid = false where indexrelid = 'taisce.embedding_77_near'::regclass;
select is(taisce.has_vector_index(77), false, 'if it may be used');

-- Result: vector_degrades
create function pg_temp.degrades(embedding vector, model text, spaces text[] default '{message}')
returns text language sql as $$
    select taisce.vector_degrades(p.project_id, spaces,
        row(embedding, model)::taisce.asked_vector)::text
    from taisce.project as p where p.name = 'north'
$$;
select is(pg_temp.degrades(null, null), '{}', 'without a vector nothing is missed');
select is(
    pg_temp.degrades('[1,2]', 'toy'), '{vectors}', 'a vector without an active generation is');
update taisce.embedding_generation set state = 'active';
select is(
    pg_temp.degrades('[1,2]', 'toy', '{message,fact}'), '{}', 'it is not if one space can use it');
select is(
    pg_temp.refusal($$ select pg_temp.degrades('[1,2]', 'other') $$),
    'TS011 query_embedding comes from another model than the vectors of this project',
    'one of another model is refused');
select is(
    pg_temp.refusal($$ select pg_temp.degrades('[0,0]', 'toy') $$),
    'TS005 query_embedding must have a length that is not zero', 'and zeros');

-- Result: usable_generation, needed_generation
create function pg_temp.usable(
    kind text, model text, dimensions integer, space text default 'message', strict text default ''
) returns text language plpgsql as $$
declare
    v_id bigint;
begin
    execute format('select (taisce.%s_generation(project_id, %L, %L, %s%s)).generation_id '
        'from taisce.project where name = ''north''', kind, space, model, dimensions, strict)
    into v_id;
    return case when v_id is null then 'none' else 'usable' end;
exception when others then
    return sqlstate;
end $$;
select is(pg_temp.usable('usable', 'toy', 2), 'usable', 'an active generation of this model');
select is(pg_temp.usable('usable', 'toy', 3), 'TS011', 'not of other dimensions');
select is(pg_temp.usable('usable', 'toy@1', 2), 'TS011', 'nor of another revision');
select is(
    pg_temp.usable('usable', 'toy@1', 2, strict => ', false'), 'none', 'without a word if not strict');
select is(pg_temp.usable('usable', 'toy', 2, 'fact'), 'none', 'a space may have none');
select is(pg_temp.usable('needed', 'toy', 2, 'fact'), 'TS014', 'unless one is needed');
select is(pg_temp.usable('needed', 'other', 2), 'TS011', 'of this model');
update taisce.embedding_generation set state = 'building';
select is(pg_temp.usable('needed', 'toy', 2), 'TS014', 'and active');

select * from finish();
rollback;
