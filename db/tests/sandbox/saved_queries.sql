-- memory_v1.save_query, activate_query, retire_query, saved_queries: the life of a saved query.
begin;
select plan(30);

-- Given
create role saving_author nologin;
create role saving_boss nologin;
create role saving_analyst nologin;
create role saving_stranger nologin;
grant taisce_writer to saving_author;
grant taisce_admin to saving_boss;
grant taisce_analyst to saving_analyst, saving_stranger;
select memory_v1.create_project('north');
select memory_v1.grant_project('north', 'saving_author', 'write');
select memory_v1.grant_project('north', 'saving_boss', 'admin');
select memory_v1.grant_project('north', 'saving_analyst', 'read');
create function pg_temp.as_role(role text, statement text) returns text language plpgsql as $$
declare
    v_result text;
begin
    perform set_config('role', role, true);
    execute statement into v_result;
    perform set_config('role', 'none', true);
    return v_result;
exception when sqlstate 'TS003' or sqlstate 'TS004' or sqlstate 'TS005'
    or insufficient_privilege then
    return sqlstate;
end
$$;
create function pg_temp.saved(name text, fixtures jsonb default '[]', space text default 'team',
    query text default 'select 1', parameters jsonb default '[]') returns text
language sql as $$
    select pg_temp.as_role('saving_author', format(
        'select memory_v1.save_query(%L, %L, %L, %L, %L, %L, project => %L)',
        saved.space, saved.name, saved.query, 'A query.', saved.parameters, saved.fixtures,
        'north'))
$$;
create function pg_temp.activated(version integer, passed text[], role text default 'saving_boss')
returns text language sql as $$
    select pg_temp.as_role(activated.role, format(
        'select memory_v1.activate_query(%L, %L, %L, %L, %L)',
        'team', 'people', activated.version, activated.passed, 'north'))
$$;

-- Contract
select function_returns('memory_v1', 'save_query',
    array['text', 'text', 'text', 'text', 'jsonb', 'jsonb', 'text', 'text'], 'integer');
select function_returns('memory_v1', 'activate_query',
    array['text', 'text', 'integer', 'text[]', 'text'], 'boolean');
select function_returns('memory_v1', 'retire_query',
    array['text', 'text', 'integer', 'text'], 'boolean');
select volatility_is('memory_v1', 'saved_queries', array['text'], 'stable');
select is_definer('memory_v1', 'save_query',
    array['text', 'text', 'text', 'text', 'jsonb', 'jsonb', 'text', 'text']);
select is_definer('memory_v1', 'activate_query',
    array['text', 'text', 'integer', 'text[]', 'text']);
select is_definer('memory_v1', 'saved_queries', array['text']);

-- Rights
select function_privs_are(
    'memory_v1', 'save_query',
    array['text', 'text', 'text', 'text', 'jsonb', 'jsonb', 'text', 'text'],
    'taisce_analyst', '{}'::text[], 'an analyst saves nothing');
select function_privs_are(
    'memory_v1', 'activate_query', array['text', 'text', 'integer', 'text[]', 'text'],
    'taisce_writer', '{}'::text[], 'a writer puts nothing into service');
select is(
    pg_temp.as_role('saving_stranger', $$ select memory_v1.saved_queries('north') $$), 'TS003',
    'without a grant there is no list');

-- Saving
select is(pg_temp.saved('people'), '1', 'a first version');
select is(pg_temp.saved('people', '[
    {"kind": "hit"}, {"kind": "empty"}, {"kind": "forgotten"}, {"kind": "cap"}]'), '2',
    'and a second one, with fixtures');
select is(pg_temp.saved('x', space => 'examples'), 'TS005', 'examples belongs to the package');
select is(pg_temp.saved('Not A Word'), 'TS005', 'a name is a word');
select is(pg_temp.saved('x', query => ''), 'TS005', 'a query is not empty');
select is(pg_temp.saved('x', query => repeat('x', 20001)), 'TS005', 'nor longer than may run');
select is(pg_temp.saved('x', '[{"kind": "other"}]'), 'TS005', 'a fixture has one of four kinds');
select is(pg_temp.saved('x', parameters => '[{"name": "a", "type": "text"},
    {"name": "a", "type": "text"}]'), 'TS005', 'two parameters have two names');
select is(
    pg_temp.as_role('saving_analyst', $$
        select string_agg(q.name || ' ' || q.version || ' ' || q.status, ', ' order by q.version)
        from memory_v1.saved_queries('north') as q where q.namespace = 'team' $$),
    'people 1 draft, people 2 draft', 'drafts are listed');
select cmp_ok(
    pg_temp.as_role('saving_analyst', $$
        select count(*)::text from memory_v1.saved_queries('north') as q
        where q.namespace = 'examples' and q.status = 'active' and q.origin = 'shipped' $$)::integer,
    '>=', 17, 'so are those that come with the package');

-- Activating
select is(pg_temp.activated(1, array['hit', 'empty', 'forgotten', 'cap']), 'TS005',
    'what has no fixtures cannot have passed them');
select is(pg_temp.activated(2, array['hit', 'empty', 'forgotten']), 'TS005',
    'one kind is missing');
select is(pg_temp.activated(2, null), 'TS005', 'all are');
select is(pg_temp.activated(9, array['hit', 'empty', 'forgotten', 'cap']), 'TS004',
    'there is no such version');
select is(pg_temp.activated(2, array['hit', 'empty', 'forgotten', 'cap'], 'saving_author'),
    '42501', 'its author is no administrator');
select is(pg_temp.activated(2, array['hit', 'empty', 'forgotten', 'cap']), 'false',
    'another one puts it into service');
select is(pg_temp.activated(2, array['hit', 'empty', 'forgotten', 'cap']), 'TS005',
    'only once');
select results_eq(
    $$ select q.status, q.activated_by, q.self_activated
       from taisce.saved_query as q where q.version = 2 $$,
    $$ values ('active', 'saving_boss', false) $$, 'and that is recorded');

-- Retiring
select is(
    pg_temp.as_role('saving_boss',
        $$ select memory_v1.retire_query('team', 'people', 2, 'north') $$), 'true',
    'a version goes out of service');
select is(
    pg_temp.as_role('saving_boss',
        $$ select memory_v1.retire_query('team', 'people', 2, 'north') $$), 'false',
    'and stays so');

select * from finish();
rollback;
