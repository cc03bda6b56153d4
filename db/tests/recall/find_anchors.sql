-- taisce.find_anchors, recall_reach: what a question names, and the account of what was found.
begin;
select plan(24);

-- Given: names of entities; ann has told of Stone and bob of Bob Stone; ann is a speaker.
\ir ../refusal.psql
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
insert into taisce.project_grant (project_id, grantee, access)
values (9001, current_user::regrole, 'read');
create function pg_temp.id(number integer) returns uuid language sql immutable as $$
    select lpad(to_hex(number), 32, '0')::uuid
$$;
create function pg_temp.entity(number integer, name text, project_id bigint default 9001)
returns void language sql as $$
    insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name, entity_type,
        first_seen_at)
    values (entity.project_id, pg_temp.id(number), 'named', name, 'thing', now())
$$;
create function pg_temp.name(number integer, name text, project_id bigint default 9001)
returns void language sql as $$
    insert into taisce.entity_name (project_id, name_key, entity_id, normalized_name, spelling, kind,
        words)
    values (name.project_id, taisce.name_key(lower(name)), pg_temp.id(number), lower(name), name,
        'alias', 1)
$$;
select pg_temp.entity(n, e), pg_temp.name(n, e)
from (values (1, 'Stone'), (2, 'Bob Stone'), (3, 'Zoe'), (4, 'Amy'), (5, 'Amy')) as i (n, e);
select pg_temp.name(1, 'Rock of ages');
select pg_temp.name(6, 'Lost');
select pg_temp.entity(7, 'South', 9002), pg_temp.name(7, 'South', 9002);
insert into taisce.entity_mention (project_id, entity_id, observation_id, ordinal, data_subject_id)
values (9001, pg_temp.id(1), pg_temp.id(90), 0, 'ann'), (9001, pg_temp.id(2), pg_temp.id(91), 0, 'bob');
insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name,
    speaker_subject_id, first_seen_at)
values (9001, pg_temp.id(8), 'speaker', 'speaker', 'ann', now());
create function pg_temp.found(question text, subject text default null) returns taisce.anchor[]
language sql as $$
    select taisce.find_anchors(9001, taisce.question_terms(question, 1000), subject, now())
$$;
create function pg_temp.anchors(question text, subject text default null) returns text
language sql as $$
    select string_agg(format('%s%s:%s', ('x' || right(a.entity_id::text, 4))::bit(16)::integer,
        case when not a.exact then '?' end, a.matched), ', ' order by a.place)
    from unnest(pg_temp.found(question, subject)) with ordinality
        as a (entity_id, name, entity_type, matched, exact, place)
$$;

-- Result: find_anchors
select is(pg_temp.anchors('Zoe knows'), '3:zoe', 'what is named is found');
select is(pg_temp.anchors('Zoeing about'), null, 'by a whole name');
select is(pg_temp.anchors('Bob Stone'), '2:bob stone, 1:stone', 'the longest match comes first');
select is(pg_temp.anchors('Zoe, Amy'), '4:amy, 5:amy, 3:zoe', 'of one length by name, then by id');
select is(
    pg_temp.anchors('Stone, the rock of ages'), '1:rock of ages',
    'an entity comes once, with its longest name');
select is(
    (select (a.name, a.entity_type)::text from unnest(pg_temp.found('Rock of ages')) as a),
    '(Stone,thing)', 'and is called by its own');
select is(pg_temp.anchors('Lost'), null, 'a name of nobody leads nowhere');
select is(pg_temp.anchors('South'), null, 'nor a name in another project');
select is(pg_temp.found('South'), '{}'::taisce.anchor[], 'then there are none, not null');
update taisce.entity set status = 'merged', merged_into = pg_temp.id(4)
where entity_id = pg_temp.id(5);
select is(pg_temp.anchors('Amy'), '4:amy', 'what was merged is no anchor');

-- Result: with a person
select is(
    pg_temp.anchors('Bob Stone', 'ann'), '1:stone, 8?:speaker',
    'only what the person told of, and the speaker last');
select is(pg_temp.anchors('Bob Stone', 'bob'), '2:bob stone', 'none if the person is no speaker');
select is(pg_temp.anchors('Zoe', 'ann'), '8?:speaker', 'or the speaker alone');
update taisce.entity_mention set retention_until = now() where data_subject_id = 'ann';
select is(pg_temp.anchors('Bob Stone', 'ann'), '8?:speaker', 'not what has expired');

-- Result: names that lost their source
update taisce.entity_name set kept_until = now() where normalized_name = 'zoe';
select is(pg_temp.anchors('Zoe'), null, 'a name whose source has expired leads nowhere');
insert into taisce.message (project_id, observation_id, ordinal, passage_id, log_offset, role,
    content, characters, octets, content_digest)
values (9001, pg_temp.id(92), 0, pg_temp.id(92), 1, 'user', 'Zoe rows.', 9, 9, sha256('x'));
insert into taisce.entity_mention (project_id, entity_id, observation_id, ordinal)
values (9001, pg_temp.id(3), pg_temp.id(92), 0);
select is(pg_temp.anchors('Zoe'), '3:zoe', 'unless another message spells it');

-- Result: limit
select pg_temp.entity(n, 'Many'), pg_temp.name(n, 'Many') from generate_series(1000, 1255) as n;
select is(cardinality(pg_temp.found('Many')), 256, 'up to 256 entities');
select pg_temp.entity(1256, 'Many'), pg_temp.name(1256, 'Many');
select is(
    pg_temp.refusal($$ select pg_temp.found('Many') $$),
    'TS001 the names of a question may lead to at most 256 entities', 'and no more');

-- Given: a walk that found facts 20 and 21 from the first anchor and 22 from the second; 21 was cut
-- off the answer; and it did not follow all that Amy is the object of.
create function pg_temp.reach(key text, question text default 'Bob Stone', subject text default null)
returns jsonb language sql as $$
    select taisce.recall_reach(9001, question, taisce.question_terms(question, 1000),
        pg_temp.found(question, subject),
        jsonb_populate_record(null::taisce.walk_result, jsonb_build_object(
            'facts', jsonb_build_array(
                jsonb_build_object('fact_id', pg_temp.id(20), 'anchor', 1),
                jsonb_build_object('fact_id', pg_temp.id(21), 'anchor', 1),
                jsonb_build_object('fact_id', pg_temp.id(22), 'anchor', 2)),
            'cuts', jsonb_build_array(jsonb_build_object(
                'entity_id', pg_temp.id(4), 'direction', 'object', 'hop', 2)))),
        array[pg_temp.id(20), pg_temp.id(22)], 'no_facts', subject) -> key
$$;

-- Result: recall_reach
select is(
    pg_temp.reach('facts_per_anchor'), jsonb_build_array(
        jsonb_build_object('entity_id', pg_temp.id(2), 'name', 'Bob Stone', 'facts', 1),
        jsonb_build_object('entity_id', pg_temp.id(1), 'name', 'Stone', 'facts', 1)),
    'how many facts of the answer each anchor led to, in the order of anchors');
select is(
    pg_temp.reach('fanout_cut'), jsonb_build_array(jsonb_build_object('entity_id', pg_temp.id(4),
        'entity', 'Amy', 'direction', 'object', 'hop', 2)),
    'where the walk did not follow everything');
select is(
    array[pg_temp.reach('anchored'), pg_temp.reach('named_nothing_known')],
    array['2', 'false']::jsonb[], 'how many anchors the question names');
select is(
    array[pg_temp.reach('anchored', 'Who?', 'ann'), pg_temp.reach('named_nothing_known', 'Who?', 'ann')],
    array['0', 'true']::jsonb[], 'of which a speaker that it does not name is none');
select is(
    array[pg_temp.reach('terms'), pg_temp.reach('terms_dropped')], array['3', '0']::jsonb[],
    'two words make three names that it may hold');
select is(pg_temp.reach('silent_because'), '"no_facts"'::jsonb, 'why there is nothing');

select * from finish();
rollback;
