-- taisce.pointed_messages: the messages that facts rest on, as far as a reader may see them.
begin;
select plan(17);

-- Given: a message of each kind, and a fact that rests on each; two facts rest on the first.
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
create function pg_temp.id(kind text, n integer) returns uuid language sql as $$
    select (lpad(to_hex(ascii(kind)), 8, '0') || '-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid
$$;
create temporary table told (n integer, role text, subject text, kept timestamptz, content text);
insert into told values
(1, 'user', 'ann', 'infinity', 'one'),
(2, 'tool', 'ann', 'infinity', 'two'),
(3, 'user', 'bob', 'infinity', 'three'),
(4, 'user', null, 'infinity', 'four'),
(5, 'user', 'ann', now(), 'five'),
(6, 'user', 'ann', 'infinity', null),
(7, 'user', 'ann', now() + interval '1 hour', 'seven');
insert into taisce.message (project_id, observation_id, ordinal, passage_id, log_offset, role,
    content, characters, octets, content_digest, data_subject_id, retention_until)
select p.project_id, pg_temp.id('o', t.n), 0, pg_temp.id('p', t.n), t.n, t.role, t.content, 9, 9,
    sha256('x'), t.subject, t.kept
from told as t
cross join (values (9001)) as p (project_id);
create function pg_temp.rests(
    fact integer, told_by integer, stance text default 'supports', role text default null,
    subject text default null, kept timestamptz default null
) returns void language sql as $$
    insert into taisce.fact_evidence (project_id, fact_id, stance, log_offset, ordinal, byte_start,
        claim_id, observation_id, role, data_subject_id, retention_until, linked_at)
    select 9001, pg_temp.id('f', fact), stance, m.log_offset, 0, 0,
        pg_temp.id('c', 100 * fact + told_by), m.observation_id, coalesce(rests.role, m.role),
        case when subject is null then m.data_subject_id else nullif(subject, '') end,
        coalesce(kept, m.retention_until), now()
    from taisce.message as m
    where m.project_id = 9001 and m.passage_id = pg_temp.id('p', told_by)
$$;
select pg_temp.rests(n, n) from generate_series(1, 7) as n;
select pg_temp.rests(8, 1);
-- Evidence and message may differ: each has to be one that may be seen.
select pg_temp.rests(11, 1, 'contradicts');
select pg_temp.rests(12, 1, role => 'tool');
select pg_temp.rests(13, 1, subject => 'bob');
select pg_temp.rests(14, 1, kept => now());
select pg_temp.rests(15, 2, role => 'user');
select pg_temp.rests(16, 3, subject => 'ann');
select pg_temp.rests(17, 5, kept => 'infinity');

-- Facts come with parts 1, 0.9, 0.8 ... in the order given.
create function pg_temp.pointed(
    facts integer[], roles text[] default '{user,tool}', subject text default null,
    items integer[] default null, last_offset bigint default null, project bigint default 9001
) returns text language sql as $$
    select string_agg(right(h.item_id::text, 2)::integer || ':' || round(h.similarity::numeric, 1),
        ' ' order by h.item_id)
    from unnest(taisce.pointed_messages(
        project,
        array(
            select row(pg_temp.id('f', f.n), 1.1 - 0.1 * f.place, null, false)::taisce.vector_hit
            from unnest(facts) with ordinality as f (n, place) order by f.place
        ),
        roles, subject,
        case when items is not null then array(select pg_temp.id('p', i) from unnest(items) as i) end,
        last_offset)) as h
$$;
-- Result
select is(pg_temp.pointed('{1,3}'), '1:1.0 3:0.9', 'each message has the part of its fact');
select is(pg_temp.pointed('{3,8,1}'), '1:0.9 3:1.0', 'of several the best');
select is(pg_temp.pointed('{}'), null, 'without facts there are none');
select is(pg_temp.pointed('{1}', project => 9002), null, 'nor in another project');

-- Result: what may be seen
select is(pg_temp.pointed('{1,2,4}'), '1:1.0 2:0.9 4:0.8', 'all roles asked for');
select is(pg_temp.pointed('{1,2,4}', '{tool}'), '2:0.9', 'and no other');
select is(pg_temp.pointed('{1,3,4}', subject => 'ann'), '1:1.0', 'what one person said');
select is(pg_temp.pointed('{5,6}'), null, 'neither what has passed nor what was released');
select is(pg_temp.pointed('{7}'), '7:1.0', 'what is kept a while');
select is(pg_temp.pointed('{11}'), null, 'what contradicts a fact is no ground of it');
select is(pg_temp.pointed('{12,15}', '{user}'), null, 'both evidence and message are of the roles');
select is(
    pg_temp.pointed('{13,16}', subject => 'ann'), null, 'both are about the person');
select is(pg_temp.pointed('{14,17}'), null, 'both are kept');
select is(pg_temp.pointed('{1,2,3,4}', last_offset => 2), '1:1.0 2:0.9', 'told by then');

-- Result: some items
select is(pg_temp.pointed('{1,2,3}', items => '{2,3}'), '2:0.9 3:0.8', 'only these messages');
select is(pg_temp.pointed('{1,2,3}', items => '{5}'), null, 'or none of them');
select is(pg_temp.pointed('{1,2,3}', items => '{}'), null, 'or none at all');

select * from finish();
rollback;
