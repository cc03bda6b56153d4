-- taisce.end_at, small_scope, group_sides, scope_numbers: what is about an entity, and since when.
begin;
select plan(30);

-- Given: of a fact of A, A was merged into B on day 2 and B into C on day 4; that was undone on day
-- 6. D was merged into C on day 8 without the fact.
\ir memory.psql
create function pg_temp.day(n integer) returns timestamptz language sql immutable as $$
    select make_timestamptz(2024, 1, n, 0, 0, 0, 'UTC')
$$;
create function pg_temp.id(letter text) returns uuid language sql immutable as $$
    select ('00000000-0000-8000-8000-0000000000' || to_hex(ascii(letter)))::uuid
$$;
create function pg_temp.north() returns bigint language sql as $$
    select p.project_id from taisce.project as p where p.name = 'north'
$$;
create function pg_temp.merge(absorbed text, survivor text, at integer, undone integer, fact text)
returns void language sql as $$
    insert into taisce.entity_merge (project_id, merge_id, absorbed, survivor, merged_at, merged_by,
        snapshot, reversed_at, reversed_by)
    values (pg_temp.north(), gen_random_uuid(), pg_temp.id(absorbed), pg_temp.id(survivor),
        pg_temp.day(at), 'boss', jsonb_build_object(
            'subjects', jsonb_build_array(pg_temp.id(fact)), 'objects', '[]'::jsonb),
        pg_temp.day(undone), case when undone is not null then 'boss' end)
$$;
insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name, first_seen_at)
select pg_temp.north(), pg_temp.id(e), 'named', e, now() from string_to_table('ABCD', null) as e;
select pg_temp.merge('A', 'B', 2, null, 'f');
select pg_temp.merge('B', 'C', 4, 6, 'f');
select pg_temp.merge('D', 'C', 8, null, 'g');
create function pg_temp.at(day integer, now_is text default 'B', side text default 'subjects')
returns text language sql as $$
    select e.canonical_name from taisce.entity as e
    where e.project_id = pg_temp.north()
      and e.entity_id = taisce.end_at(
        pg_temp.north(), pg_temp.id('f'), pg_temp.id(now_is), side, pg_temp.day(day))
$$;

-- Result: end_at
select is(pg_temp.at(1), 'A', 'before the merges it was the first');
select is(pg_temp.at(2), 'B', 'from the merge on its survivor');
select is(pg_temp.at(3), 'B', 'and between two');
select is(pg_temp.at(4), 'C', 'then the survivor of that');
select is(pg_temp.at(5), 'C', 'until it was undone');
select is(pg_temp.at(6), 'B', 'from then on no more');
select is(pg_temp.at(9), 'B', 'to this day');
select is(pg_temp.at(null), 'B', 'without an instant it is who stands there now');
select is(pg_temp.at(7, 'C'), 'C', 'a merge that did not move the fact does not count');
select is(pg_temp.at(1, side => 'objects'), 'B', 'nor one that moved its other end');
select is(
    taisce.end_at(pg_temp.north(), pg_temp.id('f'), null, 'objects', pg_temp.day(1)), null,
    'where nobody stands nobody stood');
select is(
    taisce.end_at(pg_temp.north() + 1, pg_temp.id('f'), pg_temp.id('B'), 'subjects', pg_temp.day(1)),
    pg_temp.id('B'), 'merges of another project do not count');

-- Given: one fact of A and B, two of A and C, none of D; two claims of message 0 mention A, another
-- message mentions it without one.
insert into taisce.fact_version (project_id, fact_id, known_from, valid_from, valid_to, live,
    subject_entity_id, object_entity_id, predicate, source_role, cause)
select pg_temp.north(), pg_temp.id(f.fact), now(), '-infinity', 'infinity', true,
    pg_temp.id(f.subject), pg_temp.id(f.object), 'p', 'user', 'asserted'
from (values ('x', 'A', 'B'), ('y', 'A', 'C'), ('z', 'C', 'A')) as f (fact, subject, object);
insert into taisce.entity_mention (project_id, entity_id, observation_id, ordinal, claim_id)
select pg_temp.north(), pg_temp.id(m.entity), o.observation_id, m.ordinal, pg_temp.id(m.claim)
from taisce.observation as o,
    (values ('A', 0, 'v'), ('A', 0, 'w'), ('A', 1, null), ('B', 0, 'w')) as m (entity, ordinal, claim);
create function pg_temp.small(space text, entities text, most integer) returns boolean
language sql as $$
    select taisce.small_scope(pg_temp.north(), space,
        array(select pg_temp.id(e) from string_to_table(entities, null) as e), most)
$$;
create function pg_temp.numbers(space text, entities text) returns text language sql as $$
    select string_agg(case when space = 'message' then (n - o.log_offset * 65536)::text
        else chr((n & 255)::integer) end, '' order by place)
    from taisce.observation as o, unnest(taisce.scope_numbers(pg_temp.north(), space,
        array(select pg_temp.id(e) from string_to_table(entities, null) as e)))
        with ordinality as u (n, place)
$$;

-- Result: small_scope
select is(pg_temp.small('fact', 'A', 3), true, 'three facts are at most three');
select is(pg_temp.small('fact', 'A', 2), false, 'and not two');
select is(pg_temp.small('fact', 'BD', 1), true, 'facts of the entities that are asked for');
select is(pg_temp.small('fact', 'BC', 2), false, 'together');
select is(pg_temp.small('fact', 'D', 0), true, 'none is little');
select is(pg_temp.small('claim', 'A', 3), true, 'else mentions are counted');
select is(pg_temp.small('claim', 'A', 2), false, 'each');
select is(pg_temp.small('message', 'AB', 3), false, 'of all');

-- Result: scope_numbers
select is(pg_temp.numbers('fact', 'A'), 'xyz', 'facts of which it is an end');
select is(pg_temp.numbers('fact', 'BC'), 'xyz', 'of several, in order');
select is(pg_temp.numbers('fact', 'AC'), 'xyz', 'each once');
select is(pg_temp.numbers('claim', 'AB'), 'vw', 'claims that mention one, each once');
select is(pg_temp.numbers('message', 'AB'), '01', 'messages too, also without a claim');
select is(pg_temp.numbers('fact', 'D'), null, 'about some nothing is told');

-- Result: group_sides: Acme sits in Prague, or in Brno
create function pg_temp.sides(roles text[] default '{user}', subject text default null,
    known timestamptz default null) returns text language sql as $$
    select string_agg(format('%s %s', s.statement, s.evidence_count), ', ' order by s.statement)
    from taisce.group_sides(pg_temp.north(),
        array(select f.contradiction_group from taisce.fact as f), roles, subject,
        taisce.time_scope(pg_temp.north(), case when known is not null then now() end, known, '0')) as s
$$;
select is(
    pg_temp.sides(), 'Acme sits in Brno 1, Acme sits in Prague 1', 'the sides, with their evidence');
select is(pg_temp.sides('{tool}'), null, 'of no other role');
select is(pg_temp.sides(subject => 'ann'), null, 'nor another person');
update taisce.fact_evidence set retention_until = now()
where fact_id = pg_temp.fact('Acme sits in Brno');
select is(pg_temp.sides(), 'Acme sits in Prague 1', 'nor without words to show');

select * from finish();
rollback;
