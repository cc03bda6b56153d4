-- taisce.freshness_of: how far a memory has come.
begin;
select plan(9);

-- Given
insert into taisce.project (project_id, name) values
(9001, 'north'), (9002, 'empty'), (9003, 'rebuilding');
insert into taisce.project_clock (project_id, last_stamp, stored, formed, parked) values
(9001, '2024-05-01T12:00:00Z', 12, 7, 2), (9002, '-infinity', 0, 0, 0),
(9003, '2024-05-01T12:00:00Z', 12, 12, 0);
insert into taisce.rebuild (
    project_id, rebuild_id, from_offset, to_offset, at_offset, started_at, ended_at
) values
(9003, '00000000-0000-8000-8000-000000000001', 1, 5, 5, '2024-05-01Z', '2024-05-02Z'),
(9003, '00000000-0000-8000-8000-000000000002', 1, 12, 4, '2024-05-03Z', null);

-- Contract
select has_function('taisce', 'freshness_of', array['bigint'], 'it takes a project');
select function_returns('taisce', 'freshness_of', array['bigint'], 'jsonb');
select volatility_is('taisce', 'freshness_of', array['bigint'], 'stable');

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.freshness_of'::regproc and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(
    taisce.freshness_of(9001) - '{read_at,known_through}'::text[],
    '{"stored": 12, "formed": 7, "parked": 2, "rebuilding": null}',
    'offsets stored and formed, and how many are parked');
select is(
    (taisce.freshness_of(9001) ->> 'known_through')::timestamptz,
    '2024-05-01T12:00:00Z'::timestamptz, 'knowledge reaches to the last stamp');
select is(
    (taisce.freshness_of(9001) ->> 'read_at')::timestamptz, statement_timestamp(),
    'it is read now');
select is(
    taisce.freshness_of(9002) - 'read_at',
    '{"stored": 0, "formed": null, "parked": 0, "rebuilding": null, "known_through": null}',
    'an empty memory knows nothing yet');
select is(
    taisce.freshness_of(9003) -> 'rebuilding',
    '{"from_offset": 1, "to_offset": 12, "at_offset": 4}', 'a rebuild that runs is told');

select * from finish();
rollback;
