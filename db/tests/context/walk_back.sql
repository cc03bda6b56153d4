-- taisce.walk_back and what it rests on: the newest eight turns, then the highest segment in sight.
begin;
select plan(22);

-- Given: twelve turns of ann of ten characters each ('user' and six), offsets 1 to 12.
\ir ../refusal.psql
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
create function pg_temp.say(subject text, log_offset bigint, kept timestamptz default 'infinity')
returns void language sql as $$
    insert into taisce.observation (project_id, observation_id, log_offset, kind, source_role,
        data_subject_id, occurred_at, ingested_at, lineage, message_count, characters, formed_at,
        retention_until)
    values (9001, taisce.make_id('o', 9001, log_offset::text), log_offset, 'turn', 'user', subject,
        now(), now(), '', 1, 6, now(), kept);
    insert into taisce.message (project_id, observation_id, ordinal, passage_id, log_offset, role,
        content, characters, octets, content_digest, data_subject_id)
    values (9001, taisce.make_id('o', 9001, log_offset::text), 0, gen_random_uuid(), log_offset,
        'user', 'sixsix', 6, 6, sha256('x'), subject);
$$;
create function pg_temp.condense(level integer, first bigint, last bigint, subject text default 'ann')
returns void language sql as $$
    insert into taisce.segment values (9001, gen_random_uuid(), subject, level, first, last,
        (last - first + 1)::integer, 'four', 4, now())
$$;
create function pg_temp.walk(most integer default 1000, subject text default 'ann') returns text
language sql as $$
    select string_agg(
        case when w.level is null then w.from_offset::text
            else format('%s:%s-%s', w.level, w.from_offset, w.to_offset) end
        || case when not w.fits then '!' else '' end, ' ' order by w.place)
    from taisce.walk_back(9001, subject, most, now()) as w
$$;
select pg_temp.say('ann', n) from generate_series(1, 12) as n;
select pg_temp.say('bob', 13);

-- Result: without segments
select is(pg_temp.walk(), '12 11 10 9 8 7 6 5 4 3 2 1', 'turns come newest first');
select is(pg_temp.walk(subject => 'bob'), '13', 'of one person');
select is(pg_temp.walk(subject => 'an'), null, 'whose name is whole');
select is(pg_temp.walk(20), '12 11 10!', 'the first that does not fit is told, and the last');
select is(pg_temp.walk(19), '12 11!', 'a character less, a turn less');
select is(pg_temp.walk(9), '12!', 'even the newest may not fit');
select is(pg_temp.walk(80), '12 11 10 9 8 7 6 5 4!', 'also beyond the newest eight');

-- Result: with segments
select is(taisce.segment_levels(9001, 'ann'), '{}', 'nobody condensed anything yet');
select pg_temp.condense(1, 1, 2);
select pg_temp.condense(1, 3, 4);
select is(pg_temp.walk(), '12 11 10 9 8 7 6 5 1:3-4 1:1-2', 'a segment stands for older turns');
select pg_temp.condense(1, 5, 12);
select is(
    pg_temp.walk(), '12 11 10 9 8 7 6 5 1:3-4 1:1-2', 'the newest eight are never condensed');
select pg_temp.condense(2, 1, 4);
select is(pg_temp.walk(), '12 11 10 9 8 7 6 5 2:1-4', 'the highest segment stands for the others');
select pg_temp.condense(6, 1, 3);
select is(
    pg_temp.walk(), '12 11 10 9 8 7 6 5 2:1-4', 'one that does not reach the turn does not count');
select is(taisce.segment_levels(9001, 'ann'), '{6,2,1}', 'levels come highest first');
select is(taisce.segment_levels(9002, 'ann'), '{}', 'of one project');
select is(pg_temp.walk(84), '12 11 10 9 8 7 6 5 2:1-4', 'a summary costs its characters');
select is(pg_temp.walk(83), '12 11 10 9 8 7 6 5 2:1-4!', 'and may not fit');

-- Result: a turn whose retention has passed
update taisce.observation set retention_until = now() where project_id = 9001 and log_offset = 2;
select is(
    pg_temp.walk(), '12 11 10 9 8 7 6 5 1:3-4 1', 'what condenses an expired turn is not shown');
select is(
    taisce.expired_turns(9001, 'ann', now()), '{2}', 'since it is known to have expired');
select is(
    taisce.expired_turns(9001, 'ann', now() - interval '1 us'), '{}', 'to the instant');

-- Result: context_budget
select is(taisce.context_budget(null), 16000, 'the setting is the budget');
select is(
    pg_temp.refusal('select taisce.context_budget(0)'),
    'TS005 max_characters must be between 1 and 16000, not 0', 'none is refused');
select is(
    pg_temp.refusal('select taisce.context_budget(16001)'),
    'TS005 max_characters must be between 1 and 16000, not 16001', 'as is more than the setting');

select * from finish();
rollback;
