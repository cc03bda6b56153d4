-- taisce.time_scope(project_id, as_of, as_known_at, skew)
-- The instants of a read, as scalars for one predicate:
--   valid_from <= valid_from_max and valid_to >= (replaced ? replaced_to_min : valid_to_min)
--   and known_from <= known_from_max and known_to >= known_to_min and retention_until > read_at.
-- `live` says that the read is of current facts, so that the partial indexes hold all it may see.
-- An instant of knowledge after the last committed stamp is read as that stamp.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.time_scope') is null then
        create type taisce.time_scope as (
            live boolean,
            valid_from_max timestamptz,
            valid_to_min timestamptz,
            replaced_to_min timestamptz,
            known_from_max timestamptz,
            known_to_min timestamptz,
            linked_max timestamptz,
            read_at timestamptz,
            known_at timestamptz
        );
    end if;
end
$do$;

create or replace function taisce.time_scope(
    project_id bigint,
    as_of timestamptz,
    as_known_at timestamptz,
    skew interval
)
returns taisce.time_scope
language plpgsql
stable
parallel safe
as $func$
declare
    v_tick constant interval := '1 microsecond';
    v_last constant timestamptz := '294276-12-31 23:59:59.999999+00';
    v_now constant timestamptz := statement_timestamp();
    v_known timestamptz;
    v_scope taisce.time_scope;
begin
    if time_scope.as_known_at is not null then
        select least(time_scope.as_known_at, c.last_stamp)
        into v_known
        from taisce.project_clock as c
        where c.project_id = time_scope.project_id;
    end if;
    v_scope.read_at := v_now;
    v_scope.known_at := v_known;
    v_scope.live := time_scope.as_of is null and v_known is null;
    if time_scope.as_of is not null then
        v_scope.valid_from_max := time_scope.as_of;
        v_scope.valid_to_min := case
            when time_scope.as_of < v_last then time_scope.as_of + v_tick
            else 'infinity'
        end;
        v_scope.replaced_to_min := v_scope.valid_to_min;
    else
        v_scope.valid_from_max := coalesce(v_known, v_now) + time_scope.skew;
        v_scope.valid_to_min := coalesce(v_known, v_now) + v_tick;
        v_scope.replaced_to_min := v_scope.valid_from_max + v_tick;
    end if;
    v_scope.known_from_max := coalesce(v_known, 'infinity');
    v_scope.known_to_min := coalesce(v_known + v_tick, 'infinity');
    v_scope.linked_max := coalesce(v_known, 'infinity');
    return v_scope;
end
$func$;
comment on function taisce.time_scope(bigint, timestamptz, timestamptz, interval) is
'The instants of a read, as scalars for one predicate over valid and known time.';
revoke all on function taisce.time_scope(bigint, timestamptz, timestamptz, interval) from public;
