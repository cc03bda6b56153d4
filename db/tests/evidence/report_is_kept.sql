-- taisce.report_is_kept: nothing that a report rests on has passed its retention.
begin;
select plan(9);

-- Given
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "a", "messages": [
      {"role": "user", "content": "Marta rows."}]}'),
(2, '{"type": "observation", "key": "b", "messages": [
      {"role": "user", "content": "Marta rows too."}]}'),
(3, '{"type": "observation", "key": "c", "messages": [
      {"role": "user", "content": "Nothing else."}]}'),
(4, '{"type": "fact", "key": "f", "subject": "Marta", "predicate": "does", "value": "rowing",
      "statement": "Marta rows", "evidence": [
        {"observation": "a", "quote": "Marta rows"},
        {"observation": "b", "quote": "Marta rows too"}]}'),
(5, '{"type": "community", "key": "k", "level": 0, "members": ["Marta"]}'),
(6, '{"type": "report", "community": "k", "title": "Marta", "summary": "Marta rows.",
      "importance": 1, "facts": ["f"], "sources": ["c"]}');
select memory_v1.create_project('north');
select count(*) from memory_v1.load('north');
create function pg_temp.kept(at timestamptz default now()) returns boolean language sql as $$
    select taisce.report_is_kept(r.project_id, r.report_id, at) from taisce.report as r
$$;
create function pg_temp.keep(key text, until timestamptz) returns void language sql as $$
    update taisce.observation set retention_until = until where idempotency_key = key;
    update taisce.fact_evidence as e set retention_until = until
    from taisce.observation as o
    where o.idempotency_key = key and o.observation_id = e.observation_id;
$$;

-- Result
select ok(pg_temp.kept(), 'it is, while all is');
select pg_temp.keep('c', now() + interval '1 us');
select ok(pg_temp.kept(), 'a source is kept up to its last instant');
select ok(not pg_temp.kept(now() + interval '1 us'), 'and not longer');
select pg_temp.keep('c', 'infinity');
select pg_temp.keep('b', now());
select ok(not pg_temp.kept(), 'one piece of evidence that has passed is enough');
select ok(pg_temp.kept(now() - interval '1 us'), 'from that instant on');
select pg_temp.keep('b', 'infinity');
update taisce.fact set retention_until = now();
select ok(not pg_temp.kept(), 'so is a fact');
update taisce.fact set retention_until = 'infinity';
select ok(pg_temp.kept(), 'what is kept for ever is kept');
insert into taisce.report_source
select project_id, report_id, gen_random_uuid() from taisce.report;
select ok(not pg_temp.kept(), 'a source that is gone is not');
delete from taisce.report_source;
delete from taisce.report_fact;
select ok(pg_temp.kept(), 'a report that rests on nothing has nothing to lose');

select * from finish();
rollback;
