-- taisce.load_cuts: where lines are cut so that each part may be stored type by type.
begin;
select plan(18);

-- Given
create function pg_temp.cuts(variadic bodies text[]) returns text language sql as $$
    select array_to_string(taisce.load_cuts(array(
        select jsonb_populate_record(null::taisce.load_line, jsonb_build_object(
            'line', b.place, 'type', b.body::jsonb ->> 'type', 'body', b.body::jsonb))
        from unnest(bodies) with ordinality as b (body, place)
        order by b.place
    )), ' ')
$$;
\set ann '{"type": "entity", "name": "Ann", "key": "a"}'
\set other '{"type": "entity", "name": "Cid", "key": "c"}'
\set of_ann '{"type": "fact", "subject": "ann ", "object": null}'
\set to_ann '{"type": "fact", "subject": "Bob", "object": "ANN"}'
\set of_key '{"type": "fact", "subject": {"key": "a"}}'
\set mention '{"type": "claim", "mentions": ["Bob", "Ann"]}'
\set mention_key '{"type": "claim", "mentions": [{"key": "a"}]}'
\set alias '{"type": "entity", "name": "Bob", "aliases": ["Ann"]}'
\set other_alias '{"type": "entity", "name": "Cid", "aliases": ["Ann"]}'
\set speaker '{"type": "entity", "speaker_of": "s1"}'
\set turn '{"type": "observation", "key": "a"}'

-- Result: none
select is(pg_temp.cuts(:'of_ann', :'mention', :'turn'), '', 'without entities there is no cut');
select is(pg_temp.cuts(:'ann', :'of_ann', :'to_ann', :'mention'), '', 'nor after what was declared');
select is(pg_temp.cuts(:'of_ann', :'other', :'mention'), '', 'nor before what nobody has used');
select is(pg_temp.cuts(:'turn', :'ann'), '', 'a key of another kind is no use of it');
select is(pg_temp.cuts(:'mention', :'of_ann', :'other'), '', 'uses alone do not matter');

-- Result: before an entity that was used
select is(pg_temp.cuts(:'of_ann', :'ann'), '2', 'as the subject of a fact, however it is spelled');
select is(pg_temp.cuts(:'to_ann', :'turn', :'ann'), '3', 'as its object');
select is(pg_temp.cuts(:'of_key', :'ann'), '2', 'by its key');
select is(pg_temp.cuts(:'mention', :'ann'), '2', 'in the mentions of a claim');
select is(pg_temp.cuts(:'mention_key', :'ann'), '2', 'also by its key');
select is(pg_temp.cuts(:'ann', :'ann'), '2', 'or was declared before');
select is(pg_temp.cuts(:'speaker', :'speaker'), '2', 'so with speakers');

-- Result: aliases
select is(pg_temp.cuts(:'alias', :'other_alias'), '', 'an alias may be declared twice');
select is(pg_temp.cuts(:'of_ann', :'alias'), '2', 'but not after it was used');

-- Result: several
select is(pg_temp.cuts(:'of_ann', :'ann', :'of_ann', :'ann'), '2 4', 'each part by itself');
select is(pg_temp.cuts(:'of_ann', :'mention', :'ann', :'other'), '3', 'one cut is enough for a part');
select is(
    pg_temp.cuts(:'of_ann', :'other', :'ann', :'other'), '3', 'what stood before it is no reason');
select is(pg_temp.cuts(:'of_ann', :'ann', :'other', :'other'), '2 4', 'what stands behind it is');

select * from finish();
rollback;
