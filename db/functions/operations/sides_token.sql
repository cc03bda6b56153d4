-- requires: operations/operation_types.sql
-- taisce.write_sides_token(...), taisce.read_sides_token(...)
-- Where the sides of a contradiction go on: after which fact, without which, and the roles, subject
-- and time that they are seen through.
-- Returns: text in hex; the parts of it.   Raises: TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.write_sides_token(
    group_id uuid,
    after uuid,
    without uuid,
    roles text[],
    subject text,
    asked taisce.asked_time
)
returns text
language sql
stable
parallel safe
as $func$
    select encode(convert_to(concat_ws(
        ',', 'sides', group_id, after, coalesce(without::text, '-'), array_to_string(roles, '+'),
        coalesce((
            select string_agg(lpad(to_hex(ascii(c.letter)), 6, '0'), '' order by c.place)
            from regexp_split_to_table(subject, '') with ordinality as c (letter, place)
        ), '-'), asked.mode,
        (
            select string_agg(
                coalesce(((extract(epoch from i.at) * 1000000)::bigint)::text, '-'), ','
                order by i.place)
            from unnest(array[
                asked.evaluated_at, asked.believed_at, asked.at, asked.from_at, asked.to_at
            ]) with ordinality as i (at, place)
        )), 'UTF8'), 'hex')
$func$;
comment on function taisce.write_sides_token(
    uuid, uuid, uuid, text[], text, taisce.asked_time
) is 'Where the sides of a contradiction go on.';
revoke all on function taisce.write_sides_token(
    uuid, uuid, uuid, text[], text, taisce.asked_time
) from public;

create or replace function taisce.read_sides_token(
    continuation text,
    out group_id uuid,
    out after uuid,
    out without uuid,
    out roles text[],
    out subject text,
    out asked taisce.asked_time
)
language plpgsql
stable
parallel safe
as $func$
declare
    v_id constant text :=
        '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    v_parts text[];
    v_instants timestamptz[];
begin
    -- Only pairs of digits that stand for printable ASCII, so that decoding cannot fail.
    if octet_length(continuation) <= 16384 and continuation ~ '^([2-7][0-9a-f])+$' then
        v_parts := regexp_match(
            convert_from(decode(continuation, 'hex'), 'UTF8'),
            '^sides,' || v_id || '),' || v_id || '),' || v_id || '|-),'
            '((?:user|assistant|system|tool|document)'
            '(?:\+(?:user|assistant|system|tool|document))*),'
            '((?:0[0-9a-f]{5})+|-),(current|at|overlap|history)'
            ',(\d{1,17}),(-?\d{1,17}|-),(-?\d{1,17}|-),(-?\d{1,17}|-),(-?\d{1,17}|-)$');
    end if;
    if v_parts is not null then
        v_instants := array(
            select 'epoch'::timestamptz + case
                when p.part <> '-' then greatest(p.part::bigint, -62135596800000000)
            end * '1 microsecond'::interval
            from unnest(v_parts[7:11]) with ordinality as p (part, place)
            order by p.place
        );
    end if;
    if v_parts is null
        or v_parts[6] = 'at' and v_instants[3] is null
        or v_parts[6] = 'overlap' and (v_instants[4] is null or v_instants[5] is null)
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'continuation is not one that an answer gave',
            hint = 'Hand back the continuation of a contradiction unchanged, or leave it out.';
    end if;
    group_id := v_parts[1];
    after := v_parts[2];
    without := nullif(v_parts[3], '-');
    roles := string_to_array(v_parts[4], '+');
    -- A number that is no character stands for a subject that nobody has.
    if v_parts[5] <> '-' then
        select string_agg(
            case
                when n.code between 1 and 55295 or n.code between 57344 and 1114111
                    then chr(n.code)
                else '?'
            end, '' order by n.place)
        into subject
        from (
            select c.place, ('x' || c.part[1])::bit(24)::integer as code
            from regexp_matches(v_parts[5], '.{6}', 'g') with ordinality as c (part, place)
        ) as n;
    end if;
    asked.mode := v_parts[6];
    asked.evaluated_at := v_instants[1];
    asked.believed_at := v_instants[2];
    asked.at := v_instants[3];
    asked.from_at := v_instants[4];
    asked.to_at := v_instants[5];
    asked.identity_regime := 'current';
end
$func$;
comment on function taisce.read_sides_token(text) is
'Takes apart where the sides of a contradiction go on; TS005 for anything else.';
revoke all on function taisce.read_sides_token(text) from public;
