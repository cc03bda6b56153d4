-- taisce.shown_successor: the id of the fact that took a fact's place, as long as it may be read.
begin;
select plan(5);

-- Given: a fact that is kept, and ones whose retention ends in an hour and now.
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
create function pg_temp.id(key text) returns uuid language sql as $$
    select taisce.make_id('f', 9001, key)
$$;
insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name, first_seen_at)
values (9001, pg_temp.id('e'), 'named', 'Marta', now());
insert into taisce.fact (project_id, fact_id, content_key, kind, subject_entity_id, predicate,
    object_value, statement, confidence, source_role, cardinality, support, retention_until,
    recorded_at)
select 9001, pg_temp.id(f.key), pg_temp.id(f.key), 'attribute', pg_temp.id('e'), 'p', f.key, f.key,
    0.5, 'user', 'many', 'current', f.kept, now()
from (values ('kept', 'infinity'::timestamptz), ('soon', now() + interval '1 hour'), ('now', now()))
    as f (key, kept);

-- Result
select is(taisce.shown_successor(9001, pg_temp.id('kept')), pg_temp.id('kept'), 'what is kept is shown');
select is(
    taisce.shown_successor(9001, pg_temp.id('soon')), pg_temp.id('soon'),
    'until its retention has passed');
select is(taisce.shown_successor(9001, pg_temp.id('now')), null, 'to the instant');
select is(
    taisce.shown_successor(9002, pg_temp.id('now')), pg_temp.id('now'),
    'what another project keeps does not matter');
select is(taisce.shown_successor(9001, null), null, 'without a successor there is none');

select * from finish();
rollback;
