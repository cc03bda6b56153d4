-- memory_v1.begin_query(tier, views)
-- The first statement of a run of open SQL: checks the login, takes one of its slots until the
-- transaction ends, and says which limits the run has to set. A login runs open SQL only if it is a
-- member of the analysts and of nothing that may do more; the tier "analytical" is for the roles
-- that the setting sandbox_analytical_roles names. views: names of views, to learn their grains.
-- Volatile, since a slot is a lock: two statements at once for one login.
-- Returns: one jsonb object: tier, seconds, rows, bytes, work_mem_mb, most (what a caller may ask
-- for), grains, vector_schema, begun_at, warnings.
-- Raises: TS005 (tier), TS013 (login), TS015 (no slot).   Runs as: owner.   Since: 0.1

create or replace function memory_v1.begin_query(
    tier text default 'interactive', views text[] default '{}'
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_login constant name := session_user;
    v_limits constant jsonb := (
        select s.value::jsonb -> begin_query.tier from taisce.setting as s
        where s.name = 'sandbox_tiers'
    );
    v_named constant text := (
        select s.value from taisce.setting as s where s.name = 'sandbox_analytical_roles'
    );
    v_most constant jsonb := case begin_query.tier
        when 'interactive'
            then '{"most_seconds": 15, "most_rows": 1000, "most_bytes": 8388608}'::jsonb
        else '{}'
    end;
    v_number bigint;
    v_slot integer;
begin
    if v_limits is null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'tier: there is no such tier',
            hint = 'Choose interactive or analytical.';
    end if;
    select r.oid::bigint into v_number from pg_roles as r where r.rolname = v_login;
    if not taisce.is_analyst_only(v_login) then
        raise exception using
            errcode = 'TS013',
            message = 'boundary',
            detail = 'open SQL runs for a login that is a member of the analysts and may do '
                'nothing else; this one may do more, or is no analyst',
            hint = 'As a superuser: create role NAME login in role taisce_analyst; then name it in '
                'TAISCE_ANALYST_DSN.';
    end if;
    if begin_query.tier <> 'interactive' and not exists (
        select from string_to_table(v_named, ',') as n (role)
        join pg_roles as r on r.rolname = btrim(n.role)
        where pg_has_role(v_login, r.oid, 'MEMBER')
    ) then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'tier: this one is not open to the login',
            hint = 'An administrator names the role in the setting sandbox_analytical_roles.';
    end if;

    for v_slot in 1..coalesce((v_limits ->> 'slots')::integer, 2)
    loop
        -- One number for each login and slot, far from those that anybody else would choose.
        exit when pg_try_advisory_xact_lock((7461697363::bigint << 24) + v_number * 16 + v_slot);
        if v_slot >= coalesce((v_limits ->> 'slots')::integer, 2) then
            raise exception using
                errcode = 'TS015',
                message = 'rate_limited',
                detail = format('%s queries of this login are running', v_slot),
                hint = 'Wait for one of them, or use a login of your own.';
        end if;
    end loop;

    return jsonb_build_object(
        'tier', begin_query.tier,
        'seconds', (v_limits ->> 'seconds')::numeric,
        'rows', (v_limits ->> 'rows')::bigint,
        'bytes', (v_limits ->> 'bytes')::bigint,
        'work_mem_mb', (v_limits ->> 'work_mem_mb')::integer,
        'most', jsonb_build_object(
            'seconds', greatest(
                (v_limits ->> 'seconds')::numeric,
                (coalesce(v_limits -> 'most_seconds', v_most -> 'most_seconds') #>> '{}')::numeric),
            'rows', greatest(
                (v_limits ->> 'rows')::bigint,
                (coalesce(v_limits -> 'most_rows', v_most -> 'most_rows') #>> '{}')::bigint),
            'bytes', greatest(
                (v_limits ->> 'bytes')::bigint,
                (coalesce(v_limits -> 'most_bytes', v_most -> 'most_bytes') #>> '{}')::bigint)
        ),
        'grains', (
            select coalesce(jsonb_object_agg(
                c.relname, substring(obj_description(c.oid, 'pg_class') from e'\nGrain: ([^\n]*)')
            ), '{}')
            from pg_class as c
            where c.relnamespace = 'memory_v1'::regnamespace
              and c.relkind = 'v'
              and c.relname = any (begin_query.views)
        ),
        'vector_schema', (
            select n.nspname
            from pg_extension as e
            join pg_namespace as n on n.oid = e.extnamespace
            where e.extname = 'vector'
        ),
        'begun_at', statement_timestamp(),
        'warnings', case
            when current_setting('temp_file_limit') = '-1' then jsonb_build_array(
                'The login has no temp_file_limit; a superuser can set one: taisce-pg harden')
            else '[]'
        end
    );
end
$func$;
comment on function memory_v1.begin_query(text, text[]) is
'First statement of a run of open SQL: checks the login, takes one of its slots until the '
'transaction ends, and returns the limits of the tier, interactive or analytical.';
revoke all on function memory_v1.begin_query(text, text[]) from public;
grant execute on function memory_v1.begin_query(text, text[]) to taisce_analyst;
