-- taisce.shown_cause: the id of what did something to a fact, as long as it may be read.
begin;
select plan(4);

-- Given
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
insert into taisce.observation (project_id, observation_id, log_offset, kind, source_role,
    ingested_at, lineage, message_count, characters, retention_until)
values
(9001, taisce.make_id('o', 9001, 'kept'), 1, 'turn', 'user', now(), '', 0, 0, 'infinity'),
(9001, taisce.make_id('o', 9001, 'now'), 2, 'turn', 'user', now(), '', 0, 0, now()),
(9001, taisce.make_id('o', 9001, 'soon'), 3, 'turn', 'user', now(), '', 0, 0,
    now() + interval '1 hour');

-- Result
select is(
    taisce.shown_cause(9001, taisce.make_id('o', 9001, 'kept')),
    taisce.make_id('o', 9001, 'kept'), 'what is kept is shown');
select is(
    taisce.shown_cause(9001, taisce.make_id('o', 9001, 'soon')),
    taisce.make_id('o', 9001, 'soon'), 'until its retention has passed');
select is(
    taisce.shown_cause(9001, taisce.make_id('o', 9001, 'now')), null, 'to the instant');
select is(
    taisce.shown_cause(9002, taisce.make_id('o', 9001, 'now')),
    taisce.make_id('o', 9001, 'now'), 'what another project keeps does not matter');

select * from finish();
rollback;
