-- taisce.context_of: the items of a context with their words, oldest first, and whether one was cut.
begin;
select plan(16);

-- Given: turns of ann, bob and cid of ten characters each ('user' and six), one of two messages.
insert into taisce.project (project_id, name) values (9001, 'north');
create function pg_temp.say(subject text, log_offset bigint, variadic contents text[])
returns void language sql as $$
    insert into taisce.observation (project_id, observation_id, log_offset, kind, source_role,
        data_subject_id, occurred_at, ingested_at, lineage, message_count, characters, formed_at)
    values (9001, taisce.make_id('o', 9001, log_offset::text), log_offset, 'turn', 'user', subject,
        make_date(2024, 1, log_offset::integer), now(), '', cardinality(contents),
        length(array_to_string(contents, '')), now());
    insert into taisce.message (project_id, observation_id, ordinal, passage_id, log_offset, role,
        content, characters, octets, content_digest, data_subject_id)
    select 9001, taisce.make_id('o', 9001, log_offset::text), c.place - 1,
        taisce.make_id('p', 9001, log_offset || ':' || c.place), log_offset, 'user', c.content,
        length(c.content), length(c.content), sha256('x'), subject
    from unnest(contents) with ordinality as c (content, place)
    order by c.place desc;
$$;
create function pg_temp.of(subject text, most integer default 1000) returns text language sql as $$
    select format('%s in %s%s', coalesce((
            select string_agg(format('%s:%s', i.ordinal, coalesce(i.summary, (
                select string_agg(m.message ->> 'content', '+' order by m.place)
                from jsonb_array_elements(i.messages) with ordinality as m (message, place)))), ' ')
            from unnest(c.items) as i), 'nothing'),
        c.characters, case when c.truncated then ', cut' else '' end)
    from taisce.context_of(9001, subject, most, now()) as c
$$;
create function pg_temp.item(subject text, place integer) returns memory_v1.context_item
language sql as $$
    select c.items[place] from taisce.context_of(9001, subject, 1000, now()) as c
$$;
select pg_temp.say('ann', 1, 'first.');
select pg_temp.say('ann', 2, 'second');
select pg_temp.say('ann', 3, 'third.');
select pg_temp.say('bob', 4, 'one', 'two');
select pg_temp.say('cid', n, 'sixsix') from generate_series(11, 20) as n;
insert into taisce.segment
values (9001, taisce.make_id('s', 9001, '1'), 'cid', 1, 11, 12, 2, 'four', 4, now());

-- Result: what fits
select is(pg_temp.of('ann'), '1:first. 2:second 3:third. in 30', 'turns with their words, oldest first');
select is(pg_temp.of('ann', 30), '1:first. 2:second 3:third. in 30', 'what fits to the character');
select is(
    pg_temp.of('ann', 29), '1:second 2:third. in 20, cut',
    'a character less cuts the oldest, and says so; what is left is numbered from one');
select is(pg_temp.of('ann', 9), 'nothing in 0, cut', 'also if nothing is left');
select is(pg_temp.of('dan'), 'nothing in 0', 'who never spoke has no context, and nothing is cut');
select is(
    (select c.items from taisce.context_of(9001, 'dan', 1000, now()) as c),
    '{}'::memory_v1.context_item[], 'an empty one, not none');
select is(pg_temp.of('bob'), '1:one+two in 14', 'the messages of a turn in their order');
select is(
    pg_temp.of('cid'),
    '1:four 2:sixsix 3:sixsix 4:sixsix 5:sixsix 6:sixsix 7:sixsix 8:sixsix 9:sixsix in 84',
    'a segment with its summary stands for what is older than eight turns');

-- Result: items
select is((pg_temp.item('cid', 1)).kind, 'segment', 'a segment is one');
select is((pg_temp.item('cid', 1)).messages, null, 'and has no messages');
select is(
    (select array[i.level, i.from_offset, i.to_offset, i.covered, i.characters]
     from pg_temp.item('cid', 1) as i),
    array[1, 11, 12, 2, 4]::bigint[], 'it says its level, what it covers and its length');
select is((pg_temp.item('cid', 2)).kind, 'turn', 'a turn is one');
select is((pg_temp.item('cid', 2)).summary, null, 'and has no summary');
select is(
    (select array[i.level, i.from_offset, i.to_offset, i.covered, i.characters]
     from pg_temp.item('cid', 2) as i),
    array[null, 13, 13, 1, 10]::bigint[], 'it has no level and covers itself');
select is((pg_temp.item('ann', 2)).occurred_at, '2024-01-02'::timestamptz, 'and says when it was');
select is(
    (pg_temp.item('bob', 1)).messages -> 1,
    jsonb_build_object('passage_id', taisce.make_id('p', 9001, '4:2'), 'ordinal', 1,
        'role', 'user', 'content', 'two'),
    'a message is its passage, place, role and words');

select * from finish();
rollback;
