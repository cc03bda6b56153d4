-- taisce.check_recall_controls: controls out of range are refused, and which one is said.
begin;
select plan(29);

-- Given
create function pg_temp.fault(
    subject text default null, most integer default 100, roles text[] default null,
    surfaces text[] default null, as_of timestamptz default null,
    known timestamptz default null, evidence integer default 1, embedded boolean default false,
    model text default null
)
returns text language plpgsql as $$
declare
    v_detail text;
    v_hint text;
begin
    perform taisce.check_recall_controls(
        subject, most, 100, roles, surfaces, as_of, known, evidence, embedded, model);
    return null;
exception when sqlstate 'TS002' then
    get stacked diagnostics v_detail = pg_exception_detail, v_hint = pg_exception_hint;
    return case when sqlerrm = 'invalid_recall_controls' and v_hint <> ''
        then split_part(v_detail, ' ', 1) end;
end
$$;

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.check_recall_controls'::regproc and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(pg_temp.fault(), null, 'the defaults pass');
select is(
    pg_temp.fault('s1', 1, '{user,tool,document,assistant,system}', '{facts,reports,passages}',
        now(), now(), 5, true, 'm'), null, 'so does everything at its limit');
select is(pg_temp.fault(subject => ''), 'data_subject_id', 'an empty subject is refused');
select is(pg_temp.fault(subject => U&'\3000'), 'data_subject_id', 'so is a blank one');
select is(pg_temp.fault(subject => repeat('x', 1024)), null, 'one of 1,024 bytes is not');
select is(pg_temp.fault(subject => repeat('x', 1025)), 'data_subject_id', 'a longer one is');
select is(pg_temp.fault(most => 0), 'max_characters', 'no characters');
select is(pg_temp.fault(most => 101), 'max_characters', 'more than the setting');
select is(pg_temp.fault(roles => '{}'), 'source_roles', 'no roles');
select is(pg_temp.fault(roles => '{user,user}'), 'source_roles', 'a role twice');
select is(pg_temp.fault(roles => '{user,null}'), 'source_roles', 'no role among them');
select is(pg_temp.fault(roles => '{User}'), 'source_roles', 'an unknown role');
select is(pg_temp.fault(roles => '{{user},{tool}}'), 'source_roles', 'a table of roles');
select is(pg_temp.fault(surfaces => '{}'), 'surfaces', 'no surfaces');
select is(pg_temp.fault(surfaces => '{facts,facts}'), 'surfaces', 'a surface twice');
select is(pg_temp.fault(surfaces => '{fact}'), 'surfaces', 'an unknown surface');
select is(pg_temp.fault(surfaces => '{facts,null}'), 'surfaces', 'no surface among them');
select is(pg_temp.fault(as_of => 'infinity'), 'as_of', 'no end of time');
select is(pg_temp.fault(as_of => '-infinity'), 'as_of', 'nor beginning');
select is(pg_temp.fault(known => 'infinity'), 'as_known_at', 'of knowledge neither');
select is(pg_temp.fault(known => '-infinity'), 'as_known_at', 'nor its beginning');
select is(pg_temp.fault(evidence => 0), 'evidence_per_fact', 'no evidence');
select is(pg_temp.fault(evidence => 6), 'evidence_per_fact', 'too much of it');
select is(pg_temp.fault(embedded => true), 'query_embedding', 'a vector without a model');
select is(pg_temp.fault(model => 'm'), 'query_embedding', 'a model without a vector');
select is(pg_temp.fault(embedded => true, model => ' '), 'query_embedding', 'a blank model');
select is(
    pg_temp.fault('', 0, '{}'), 'data_subject_id', 'of several faults the first is said');
select throws_ok(
    $$ select taisce.check_recall_controls('secret ' || repeat('x', 1024), 1, 1, null, null, null,
        null, 1, false, null) $$,
    'TS002', 'invalid_recall_controls', 'what was given is not repeated');

select * from finish();
rollback;
