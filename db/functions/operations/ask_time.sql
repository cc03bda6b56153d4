-- requires: operations/operation_types.sql
-- taisce.check_time(time_scope, identity_regime), taisce.ask_time(project_id, asked)
-- The time that an operation is asked for: now, at an instant, over an interval (both ends
-- included), or ever before; and what the memory believed at an instant. History is what began by
-- the read, or by the instant of knowledge that is asked for. check_time reads the argument,
-- ask_time gives the instants that versions are compared with. A continued answer keeps the instant
-- it was first evaluated at.
-- Returns: one row.   Raises: TS005 naming the field.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_time(time_scope jsonb, identity_regime text)
returns taisce.asked_time
language plpgsql
stable
parallel safe
as $func$
declare
    v_given constant jsonb := coalesce(check_time.time_scope, '{"mode": "current"}');
    v_keys text[];
    v_asked taisce.asked_time;
    v_detail text;
begin
    if jsonb_typeof(v_given) <> 'object' then
        v_detail := 'time_scope must be an object';
    else
        v_asked.mode := v_given ->> 'mode';
        v_keys := case v_asked.mode
            when 'current' then array['mode', 'believed_at']
            when 'history' then array['mode', 'believed_at']
            when 'at' then array['mode', 'believed_at', 'at']
            when 'overlap' then array['mode', 'believed_at', 'from', 'to']
        end;
        if v_keys is null or jsonb_typeof(v_given -> 'mode') <> 'string' then
            v_detail := 'time_scope.mode must be current, at, overlap or history';
        elsif not v_given ?& v_keys[3:] then
            v_detail := format('time_scope of mode %s needs %s', v_asked.mode,
                array_to_string(v_keys[3:], ' and '));
        elsif exists (
            select from jsonb_object_keys(v_given) as k (key) where k.key <> all (v_keys)
        ) then
            v_detail := format('time_scope of mode %s has no other keys than %s', v_asked.mode,
                array_to_string(v_keys, ', '));
        end if;
    end if;
    if v_detail is null then
        v_asked.believed_at := taisce.read_instant(
            v_given -> 'believed_at', 'time_scope.believed_at');
        if v_asked.mode = 'at' then
            v_asked.at := taisce.read_instant(v_given -> 'at', 'time_scope.at');
        elsif v_asked.mode = 'overlap' then
            v_asked.from_at := taisce.read_instant(v_given -> 'from', 'time_scope.from');
            v_asked.to_at := taisce.read_instant(v_given -> 'to', 'time_scope.to');
        end if;
        v_asked.identity_regime := coalesce(check_time.identity_regime, 'current');
        v_asked.evaluated_at := statement_timestamp();
        if v_asked.mode = 'at' and v_asked.at is null then
            v_detail := 'time_scope.at must be an instant with its zone';
        elsif v_asked.mode = 'overlap' and (v_asked.from_at is null or v_asked.to_at is null) then
            v_detail := 'time_scope.from and time_scope.to must be instants with their zones';
        elsif v_asked.to_at < v_asked.from_at then
            v_detail := 'time_scope.to must not be before time_scope.from';
        elsif v_asked.identity_regime not in ('current', 'as_of') then
            v_detail := 'identity_regime must be current or as_of';
        end if;
    end if;
    if v_detail is not null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = v_detail,
            hint = 'For example {"mode": "at", "at": "2024-03-01T00:00:00Z"}.';
    end if;
    return v_asked;
end
$func$;
comment on function taisce.check_time(jsonb, text) is
'Reads the time that an operation is asked for; TS005 for anything else.';
revoke all on function taisce.check_time(jsonb, text) from public;

create or replace function taisce.ask_time(project_id bigint, asked taisce.asked_time)
returns taisce.asked_time
language plpgsql
stable
parallel safe
as $func$
declare
    v_tick constant interval := '1 microsecond';
    v_asked taisce.asked_time := ask_time.asked;
    v_scope taisce.time_scope;
    v_skew constant interval := taisce.setting_interval('clock_skew');
begin
    v_scope := taisce.time_scope(
        ask_time.project_id, v_asked.at, v_asked.believed_at, v_skew);
    if v_asked.mode = 'current' and v_scope.live then
        v_scope.valid_from_max := v_asked.evaluated_at + v_skew;
        v_scope.valid_to_min := v_asked.evaluated_at + v_tick;
        v_scope.replaced_to_min := v_scope.valid_from_max + v_tick;
    elsif v_asked.mode = 'overlap' then
        v_scope.live := false;
        v_scope.valid_from_max := v_asked.to_at;
        v_scope.valid_to_min := v_asked.from_at + v_tick;
        v_scope.replaced_to_min := v_scope.valid_to_min;
    elsif v_asked.mode = 'history' then
        v_scope.live := false;
        v_scope.valid_from_max := coalesce(v_scope.known_at, v_asked.evaluated_at);
        v_scope.valid_to_min := '-infinity';
        v_scope.replaced_to_min := '-infinity';
    end if;
    v_asked.scope := v_scope;
    return v_asked;
end
$func$;
comment on function taisce.ask_time(bigint, taisce.asked_time) is
'The instants that versions are compared with for the time that an operation is asked for.';
revoke all on function taisce.ask_time(bigint, taisce.asked_time) from public;
