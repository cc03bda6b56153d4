-- taisce.find_paths and taisce.graph_ends: routes over relations given, ends led to survivors.
begin;
select plan(24);

-- Given: relations as 'end fact end', each of one letter or digit, ids that sort as they do.
\ir ../refusal.psql
create function pg_temp.id(letter text) returns uuid language sql immutable as $$
    select ('00000000-0000-8000-8000-0000000000' || to_hex(ascii(letter)))::uuid
$$;
create function pg_temp.letter(id uuid) returns text language sql immutable as $$
    select chr(('x' || right(id::text, 2))::bit(8)::integer)
$$;
create function pg_temp.paths(
    relations text, from_id text, to_id text, max_length integer default 9, most integer default 9
) returns text language sql as $$
    select coalesce(string_agg(w.words, ' ' order by w.place), 'none')
        || case when max(w.over::integer) > 0 then ' over' else '' end
    from (
        select
            r.place, p.over,
            (
                select string_agg(pg_temp.letter(e.id) || coalesce(
                    pg_temp.letter(r.fact_ids[e.place]), ''), '' order by e.place)
                from unnest(r.entity_ids) with ordinality as e (id, place)
            ) as words
        from taisce.find_paths(
            array(select pg_temp.id(left(i.r, 1))
                from string_to_table(relations, ' ') with ordinality as i (r, n) order by i.n),
            array(select pg_temp.id(right(i.r, 1))
                from string_to_table(relations, ' ') with ordinality as i (r, n) order by i.n),
            array(select pg_temp.id(substr(i.r, 2, 1))
                from string_to_table(relations, ' ') with ordinality as i (r, n) order by i.n),
            pg_temp.id(from_id), pg_temp.id(to_id), max_length, most) as p
        left join unnest(p.routes) with ordinality as r (entity_ids, fact_ids, place) on true
    ) as w
$$;

-- Result: routes
select is(pg_temp.paths('A1B', 'A', 'B'), 'A1B', 'a relation is a route');
select is(pg_temp.paths('A1B', 'B', 'A'), 'B1A', 'from either end');
select is(pg_temp.paths('A1B C2B', 'A', 'C'), 'A1B2C', 'in whatever direction they are told');
select is(pg_temp.paths('A1B C2D', 'A', 'D'), 'none', 'what nothing links has no route');
select is(pg_temp.paths('A1B', 'A', 'Z'), 'none', 'an entity without a relation has none');
select is(pg_temp.paths('A1B', 'Z', 'A'), 'none', 'at neither end');
select is(pg_temp.paths('A1B B2C C3D', 'A', 'D', 3), 'A1B2C3D', 'up to a length');
select is(pg_temp.paths('A1B B2C C3D', 'A', 'D', 2), 'none', 'and no longer');
select is(
    pg_temp.paths('A1B B2C A9C', 'A', 'C'), 'A9C A1B2C', 'the shorter comes first');
select is(
    pg_temp.paths('A7D A2C C6B D3B', 'A', 'B'), 'A2C6B A7D3B', 'of one length, by the facts');
select is(
    pg_temp.paths('A2C C9B C5B A1D D8B', 'A', 'B'), 'A1D8B A2C5B A2C9B',
    'the first fact before the second; two facts between two entities are two routes');
select is(pg_temp.paths('A1B A1B', 'A', 'B'), 'A1B', 'a relation that comes twice is one');
select is(
    pg_temp.paths('A1B B2C C3B C4D B5D', 'A', 'D'), 'A1B5D A1B2C4D A1B3C4D',
    'no entity comes twice in a route');
select is(pg_temp.paths('A1A A2B B3B', 'A', 'B'), 'A2B', 'nor by a relation to itself');
select is(pg_temp.paths('A1B A2B A3B', 'A', 'B', 9, 2), 'A1B A2B', 'up to so many routes');
select is(pg_temp.paths('A1B A2B', 'A', 'B', 9, 2), 'A1B A2B', 'all of them if no more');

-- Given: twelve entities, each linked with each other: 10 * 9 * 8 * 7 * 6 routes of length 6 alone.
create temporary table dense (x uuid, y uuid, fact uuid);
insert into dense
select pg_temp.id(a), pg_temp.id(b), gen_random_uuid()
from string_to_table('ABCDEFGHIJKL', null) as a, string_to_table('ABCDEFGHIJKL', null) as b
where a < b;

-- Result: patience
select is(
    (
        select p.over from taisce.find_paths(
            array(select d.x from dense as d order by d.fact),
            array(select d.y from dense as d order by d.fact),
            array(select d.fact from dense as d order by d.fact),
            pg_temp.id('A'), pg_temp.id('L'), 11, 1000000) as p
    ),
    true, 'a search without an end is broken off, and says so');
select is(pg_temp.paths('A1B', 'A', 'B') ~ 'over', false, 'one with an end is not');

-- Given: Marta absorbed Acme, then Prague absorbed Marta.
\ir ../operations/memory.psql
select memory_v1.create_project('south');
create temporary table them as
select p.project_id, pg_temp.entity('Marta') as m, pg_temp.entity('Acme') as a,
    pg_temp.entity('Prague') as p, pg_temp.entity('Brno') as b
from taisce.project as p where p.name = 'north';
update taisce.entity as e set status = 'merged', merged_into = t.m from them as t
where e.entity_id = t.a;
update taisce.entity as e set status = 'merged', merged_into = t.p from them as t
where e.entity_id = t.m;

-- Result: graph_ends
select is(
    (select taisce.graph_ends(t.project_id, array[t.b, t.p]) = array[t.b, t.p] from them as t),
    true, 'entities in the order given');
select is(
    (select taisce.graph_ends(t.project_id, array[t.a, t.b]) = array[t.p, t.b] from them as t),
    true, 'led to the survivor of the survivor');
select is(
    (select taisce.graph_ends(t.project_id, array[t.a, t.m, t.p]) = array[t.p] from them as t),
    true, 'without repeats');
select is(
    pg_temp.refusal(format('select taisce.graph_ends(%s, array[%L, null]::uuid[])', t.project_id, t.b)),
    'TS005 an entity id is missing', 'a missing id is refused')
from them as t;
select throws_ok(
    format('select taisce.graph_ends(%s, array[%L, %L]::uuid[])', t.project_id, t.b,
        gen_random_uuid()),
    'TS004', 'not_found', 'one that leads nowhere refuses all')
from them as t;
select is(
    pg_temp.refusal(format('select taisce.graph_ends(%s, array[%L]::uuid[])', p.project_id, t.b)),
    'TS004 nothing of that id is in the project', 'as does one of another project')
from them as t, taisce.project as p where p.name = 'south';

select * from finish();
rollback;
