-- memory_v1.save_query(namespace, name, query, description, parameters, fixtures, origin, project)
-- Keeps a new version of a query, as a draft of the caller. Nothing of it runs here: the executor
-- checks the text before it is saved and again at every run. The namespace examples is the
-- package's.
-- Returns: the version.   Raises: TS003, TS005.
-- Runs as: owner; the caller needs write access to the project.   Since: 0.1

create or replace function memory_v1.save_query(
    namespace text,
    name text,
    query text,
    description text,
    parameters jsonb default '[]',
    fixtures jsonb default '[]',
    origin text default 'user',
    project text default null
)
returns integer
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project constant bigint := taisce.resolve_project(save_query.project, 'write');
    v_fault text;
    v_version integer;
begin
    v_fault := case
        when save_query.namespace is null or save_query.namespace !~ '^[a-z][a-z0-9_]{0,62}$'
            then 'namespace: a word of small letters, digits and _ is needed'
        when save_query.namespace = 'examples'
            then 'namespace: examples belongs to the package'
        when save_query.name is null or save_query.name !~ '^[a-z][a-z0-9_]{0,62}$'
            then 'name: a word of small letters, digits and _ is needed'
        when save_query.query is null or octet_length(save_query.query) not between 1 and 20000
            then 'query: 1 to 20000 bytes are needed'
        when save_query.description is null or taisce.is_blank(save_query.description)
            or octet_length(save_query.description) > 2000
            then 'description: 1 to 2000 bytes are needed'
        when save_query.origin is null or octet_length(save_query.origin) not between 1 and 200
            then 'origin: 1 to 200 bytes are needed'
        when not coalesce(taisce.are_query_parameters(save_query.parameters), false)
            then 'parameters: a list of at most 20 objects with name and type is needed'
        when not coalesce(taisce.are_query_fixtures(save_query.fixtures), false)
            then 'fixtures: a list of objects with kind (hit, empty, forgotten, cap) and '
                'parameters is needed'
    end;
    if v_fault is not null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = v_fault,
            hint = 'See memory_v1.saved_queries() for examples.';
    end if;
    -- One at a time, so that two savers do not take one number.
    perform p.project_id from taisce.project as p where p.project_id = v_project for update;
    select coalesce(max(q.version), 0) + 1
    into v_version
    from taisce.saved_query as q
    where q.project_id = v_project
      and q.namespace = save_query.namespace
      and q.name = save_query.name;
    insert into taisce.saved_query (
        project_id, namespace, name, version, sql, parameters, description, origin, fixtures,
        author, created_at
    )
    values (
        v_project, save_query.namespace, save_query.name, v_version, save_query.query,
        save_query.parameters, save_query.description, save_query.origin, save_query.fixtures,
        taisce.caller(), clock_timestamp()
    );
    return v_version;
end
$func$;
comment on function memory_v1.save_query(text, text, text, text, jsonb, jsonb, text, text) is
'Keep a new version of a saved query as a draft of the caller; returns the version.';
revoke all on function memory_v1.save_query(text, text, text, text, jsonb, jsonb, text, text)
from public;
grant execute on function memory_v1.save_query(text, text, text, text, jsonb, jsonb, text, text)
to taisce_writer;
