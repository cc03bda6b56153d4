-- memory_v1.saved_queries(project)
-- The saved queries of a project, every version, and those that this version ships in the namespace
-- examples. Run one through the executor (taisce-pg saved run), which checks its text again.
-- parameters is a list of {name, type, description, default}, bound to $1 and so on; fixtures a
-- list of {kind, parameters} with kind hit, empty, forgotten or cap.
-- Returns: one row a version, by namespace, name and version.   Raises: TS003, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.saved_query_item') is null then
        create type memory_v1.saved_query_item as (
            namespace text,
            name text,
            version integer,
            status text,
            description text,
            parameters jsonb,
            query text,
            origin text,
            fixtures jsonb,
            author text,
            created_at timestamptz,
            activated_by text,
            activated_at timestamptz,
            self_activated boolean
        );
        comment on type memory_v1.saved_query_item is 'A version of a saved query.';
    end if;
end
$do$;

create or replace function memory_v1.saved_queries(project text default null)
returns setof memory_v1.saved_query_item
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project constant bigint := taisce.resolve_project(saved_queries.project, 'read');
begin
    return query
    select r.*
    from (
        select 'examples', s.name, 1, 'active', s.description, s.parameters, s.query, 'shipped',
            '[]'::jsonb, null::text, null::timestamptz, null::text, null::timestamptz, false
        from (
            select t.* from taisce.shipped_testimony() as t
            union all
            select b.* from taisce.shipped_beliefs() as b
            union all
            select g.* from taisce.shipped_graph() as g
        ) as s
        union all
        select q.namespace, q.name, q.version, q.status, q.description, q.parameters, q.sql,
            q.origin, q.fixtures, q.author, q.created_at, q.activated_by, q.activated_at,
            q.self_activated
        from taisce.saved_query as q
        where q.project_id = v_project
    ) as r (namespace, name, version, status, description, parameters, query, origin, fixtures,
        author, created_at, activated_by, activated_at, self_activated)
    order by r.namespace collate "C", r.name collate "C", r.version;
end
$func$;
comment on function memory_v1.saved_queries(text) is
'Saved queries of a project, every version, and those shipped in the namespace examples.';
revoke all on function memory_v1.saved_queries(text) from public;
grant execute on function memory_v1.saved_queries(text) to taisce_reader, taisce_analyst;
