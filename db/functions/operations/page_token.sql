-- requires: operations/operation_types.sql
-- taisce.write_page_token(...), taisce.read_page_token(...)
-- Where an answer can be continued: the candidates that were not returned yet, in order, the
-- instant of the first page and the neighbours it searched, so that what changes meanwhile neither
-- repeats nor hides an item. It is no right: every item is confirmed anew. `digest` stands for the
-- arguments: a token serves the same call only. 1 byte kind, 8 instant, 16 digest, 1 near, 1
-- entities, 2 items of the first list, then 16 bytes an entity, 21 an item (id, score in
-- ten-thousandths, why).
-- Returns: base64 text, null if nothing is left.   Raises: TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.write_page_token(
    kind text,
    evaluated_at timestamptz,
    digest bytea,
    near integer,
    entities uuid[],
    first_list taisce.pooled[],
    second_list taisce.pooled[]
)
returns text
language plpgsql
stable
parallel safe
as $func$
#variable_conflict use_variable
declare
    v_items bytea;
    v_ids bytea := '';
begin
    select string_agg(
        uuid_send(i.item_id)
            || int4send(coalesce(round(i.score * 10000), -1)::integer)
            || case i.why
                when 'words' then '\x01'::bytea
                when 'vectors' then '\x02'::bytea
                when 'neighbour' then '\x03'::bytea
                when 'fact' then '\x04'::bytea
                else '\x00'::bytea
            end,
        '')
    into v_items
    from unnest(first_list || second_list) as i;
    if v_items is null then
        return null;
    end if;
    if cardinality(entities) > 0 then
        v_ids := (
            select string_agg(uuid_send(e.id), '' order by e.place)
            from unnest(entities) with ordinality as e (id, place)
        );
    end if;
    return translate(
        encode(
            convert_to(kind, 'UTF8')
            || int8send((extract(epoch from evaluated_at) * 1000000)::bigint)
            || digest
            || substr(int4send(coalesce(near, 0)), 4)
            || substr(int4send(coalesce(cardinality(entities), 0)), 4)
            || substr(int4send(coalesce(cardinality(first_list), 0)), 3)
            || v_ids
            || v_items,
            'base64'),
        E'\n', '');
end
$func$;
comment on function taisce.write_page_token(
    text, timestamptz, bytea, integer, uuid[], taisce.pooled[], taisce.pooled[]
) is 'Where an answer can be continued: the candidates that are left.';
revoke all on function taisce.write_page_token(
    text, timestamptz, bytea, integer, uuid[], taisce.pooled[], taisce.pooled[]
) from public;

create or replace function taisce.read_page_token(continuation text, kind text, digest bytea)
returns taisce.page_token
language plpgsql
stable
parallel safe
as $func$
declare
    v_bytes bytea;
    v_length integer;
    v_entities integer;
    v_first integer;
    v_start integer;
    v_token taisce.page_token;
    v_items taisce.pooled[];
begin
    if octet_length(read_page_token.continuation) between 40 and 32768
        and mod(octet_length(read_page_token.continuation), 4) = 0
        and read_page_token.continuation ~ '^[A-Za-z0-9+/]+={0,2}$'
    then
        v_bytes := decode(read_page_token.continuation, 'base64');
        v_length := octet_length(v_bytes);
        if v_length >= 29
            and substr(v_bytes, 1, 1) = convert_to(read_page_token.kind, 'UTF8')
            and get_byte(v_bytes, 1) < 4
            and substr(v_bytes, 10, 16) = read_page_token.digest
        then
            v_entities := get_byte(v_bytes, 26);
            v_first := get_byte(v_bytes, 27) * 256 + get_byte(v_bytes, 28);
            v_start := 29 + 16 * v_entities;
            if v_start <= v_length and mod(v_length - v_start, 21) = 0
                and v_first <= (v_length - v_start) / 21
            then
                v_token.evaluated_at := 'epoch'::timestamptz + (
                    'x' || encode(substr(v_bytes, 2, 8), 'hex'))::bit(64)::bigint
                    * '1 microsecond'::interval;
                v_token.near := get_byte(v_bytes, 25);
                v_token.entities := array(
                    select encode(substr(v_bytes, 30 + 16 * e.i, 16), 'hex')::uuid
                    from generate_series(0, v_entities - 1) as e (i)
                );
                v_items := array(
                    select row(
                        encode(substr(v_bytes, v_start + 1 + 21 * t.i, 16), 'hex')::uuid,
                        nullif((
                            'x' || encode(substr(v_bytes, v_start + 17 + 21 * t.i, 4), 'hex')
                        )::bit(32)::integer, -1) / 10000.0::double precision,
                        null,
                        null,
                        (array['words', 'vectors', 'neighbour', 'fact'])[
                            get_byte(v_bytes, v_start + 20 + 21 * t.i)],
                        null
                    )::taisce.pooled
                    from generate_series(0, (v_length - v_start) / 21 - 1) as t (i)
                    order by t.i
                );
                v_token.first_list := v_items[:v_first];
                v_token.second_list := v_items[v_first + 1:];
            end if;
        end if;
    end if;
    if v_token.evaluated_at is null
        or v_token.evaluated_at not between '2000-01-01Z' and statement_timestamp()
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'continuation is not one that this call gave',
            hint = 'Hand back the continuation of the last answer with the same arguments.';
    end if;
    return v_token;
end
$func$;
comment on function taisce.read_page_token(text, text, bytea) is
'Takes a continuation apart; TS005 for anything that the same call did not give.';
revoke all on function taisce.read_page_token(text, text, bytea) from public;
