-- requires: operations/operation_types.sql
-- memory_v1.contradiction_members(group_id, continuation, project)
-- The sides of a contradiction, all of them, 25 a page. continuation is that of a contradiction in
-- an answer, whose roles, subject and time it keeps; without one, what holds now, from the
-- project's own roles.
-- Returns: up to 25 rows by fact id; continuation leads on, null on the last page.
-- Raises: TS003, TS004, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.contradiction_member') is null then
        create type memory_v1.contradiction_member as (
            group_id uuid,
            fact_kind text,
            fact_id uuid,
            label text,
            valid_from timestamptz,
            valid_until timestamptz,
            known_from timestamptz,
            known_until timestamptz,
            evidence_count integer,
            total integer,
            truncated boolean,
            evaluated_at timestamptz,
            dropped integer,
            continuation text
        );
        comment on type memory_v1.contradiction_member is 'A side of a contradiction.';
    end if;
end
$do$;

create or replace function memory_v1.contradiction_members(
    group_id uuid,
    continuation text default null,
    project text default null
)
returns setof memory_v1.contradiction_member
language plpgsql
stable
parallel safe
security definer
rows 4
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_page constant integer := 25;
    v_project_id bigint;
    v_token record;
    v_after uuid;
    v_without uuid;
    v_roles text[];
    v_subject text;
    v_asked taisce.asked_time;
begin
    if contradiction_members.group_id is null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'group_id must be given',
            hint = 'A fact in a contradiction names its group.';
    end if;
    if contradiction_members.continuation is not null then
        select t.* into v_token
        from taisce.read_sides_token(contradiction_members.continuation) as t;
        if v_token.group_id <> contradiction_members.group_id then
            raise exception using
                errcode = 'TS005',
                message = 'invalid_argument',
                detail = 'continuation belongs to another group',
                hint = 'Hand it back with the group_id it came with.';
        end if;
        v_after := v_token.after;
        v_without := v_token.without;
        v_roles := v_token.roles;
        v_subject := v_token.subject;
        v_asked := v_token.asked;
    else
        v_asked := taisce.check_time(null, null);
    end if;
    v_project_id := taisce.resolve_project(contradiction_members.project, 'read');
    v_roles := coalesce(v_roles, taisce.default_roles(v_project_id));
    v_asked := taisce.ask_time(v_project_id, v_asked);
    return query
    with side as materialized (
        select
            s.*,
            row_number() over (order by s.fact_id) as place,
            count(*) over () as total
        from taisce.group_sides(
            v_project_id, array[contradiction_members.group_id], v_roles, v_subject,
            v_asked.scope) as s
        where s.fact_id is distinct from v_without
    ),
    page as materialized (
        select i.*
        from side as i
        where v_after is null
           or i.fact_id > v_after
        order by i.place
        limit v_page
    )
    select
        p.group_id,
        p.fact_kind,
        p.fact_id,
        taisce.fact_label(p.statement, p.valid_from, p.valid_to),
        nullif(p.valid_from, '-infinity'),
        nullif(p.valid_to, 'infinity'),
        nullif(p.known_from, '-infinity'),
        nullif(p.known_to, 'infinity'),
        p.evidence_count,
        p.total::integer,
        (select max(i.place) from page as i) < p.total,
        v_asked.evaluated_at,
        0,
        case
            when (select max(i.place) from page as i) < p.total then taisce.write_sides_token(
                p.group_id,
                (select i.fact_id from page as i order by i.place desc limit 1),
                v_without, v_roles, v_subject, v_asked)
        end
    from page as p
    order by p.place;
    if not found and v_after is null then
        perform taisce.not_found();
    end if;
end
$func$;
comment on function memory_v1.contradiction_members(uuid, text, text) is
'The sides of a contradiction, 25 a page.';
revoke all on function memory_v1.contradiction_members(uuid, text, text) from public;
grant execute on function memory_v1.contradiction_members(uuid, text, text)
to taisce_reader, taisce_analyst;
