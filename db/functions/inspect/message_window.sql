-- memory_v1.message_window(passage_id, byte_start, byte_limit, expected_digest, project)
-- A part of a message, cut at whole characters: at most byte_limit (4 to 4096) bytes of UTF-8 from
-- byte_start on. A window that does not start at 0 needs the digest that the first one gave, so
-- that all windows are of one text.
-- Returns: one row. byte_start and byte_end: what the window holds; octets: length of the message;
-- next_byte_start: where the next window begins, null at the end; content is null and released true
-- if the text was released.
-- Raises: TS003, TS004, TS005, TS012 if the digest differs.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.message_part') is null then
        create type memory_v1.message_part as (
            passage_id uuid,
            observation_id uuid,
            ordinal integer,
            role text,
            occurred_at timestamptz,
            byte_start integer,
            byte_end integer,
            content text,
            octets integer,
            next_byte_start integer,
            content_digest text,
            released boolean
        );
        comment on type memory_v1.message_part is 'A window of a message.';
    end if;
end
$do$;

create or replace function memory_v1.message_window(
    passage_id uuid,
    byte_start integer default 0,
    byte_limit integer default 4096,
    expected_digest text default null,
    project text default null
)
returns memory_v1.message_part
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_least constant integer := 4;
    v_most constant integer := 4096;
    v_limit constant integer := coalesce(message_window.byte_limit, v_most);
    v_from integer := coalesce(message_window.byte_start, 0);
    v_to integer;
    v_project_id bigint;
    v_bytes bytea;
    v_part memory_v1.message_part;
begin
    if v_limit not between v_least and v_most then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('byte_limit must be between %s and %s, not %s',
                v_least, v_most, v_limit),
            hint = 'Read a long message in several windows.';
    end if;
    if message_window.expected_digest !~ '^[0-9A-Fa-f]{64}$' then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'expected_digest must be 64 hexadecimal digits',
            hint = 'Give the content_digest of the first window.';
    end if;
    if v_from < 0 or (v_from > 0 and message_window.expected_digest is null) then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('byte_start must be 0, or come with expected_digest, not %s', v_from),
            hint = 'Start at 0, then give the content_digest of that window.';
    end if;
    v_project_id := taisce.resolve_project(message_window.project, 'read');
    select
        m.passage_id, m.observation_id, m.ordinal, m.role, m.occurred_at, 0, 0, m.content,
        m.octets, null, encode(m.content_digest, 'hex'), m.content is null
    into v_part
    from taisce.message as m
    where m.project_id = v_project_id
      and m.passage_id = message_window.passage_id
      and m.retention_until > statement_timestamp();
    if not found then
        perform taisce.not_found();
    end if;
    if lower(message_window.expected_digest) <> v_part.content_digest then
        raise exception using
            errcode = 'TS012',
            message = 'source_changed',
            detail = 'the message is no longer the one that expected_digest names',
            hint = 'Read it again from byte 0.';
    end if;
    if v_part.released then
        return v_part;
    end if;
    v_bytes := convert_to(v_part.content, 'UTF8');
    if v_from > octet_length(v_bytes) then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('byte_start must be at most %s, not %s', octet_length(v_bytes), v_from),
            hint = 'Go on at next_byte_start of the last window.';
    end if;

    -- 128..191 are the later bytes of a character: the start moves on, the end moves back.
    while v_from < octet_length(v_bytes) and get_byte(v_bytes, v_from) between 128 and 191 loop
        v_from := v_from + 1;
    end loop;
    v_to := least(v_from::bigint + v_limit, octet_length(v_bytes))::integer;
    while v_to < octet_length(v_bytes) and get_byte(v_bytes, v_to) between 128 and 191 loop
        v_to := v_to - 1;
    end loop;
    v_part.byte_start := v_from;
    v_part.byte_end := v_to;
    v_part.content := convert_from(substr(v_bytes, v_from + 1, v_to - v_from), 'UTF8');
    v_part.next_byte_start := nullif(v_to, octet_length(v_bytes));
    return v_part;
end
$func$;
comment on function memory_v1.message_window(uuid, integer, integer, text, text) is
'A part of a message, cut at whole characters; all windows of one digest are of one text.';
revoke all on function memory_v1.message_window(uuid, integer, integer, text, text) from public;
grant execute on function memory_v1.message_window(uuid, integer, integer, text, text)
to taisce_reader;
