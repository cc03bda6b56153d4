-- memory_v1.evidence_window(content, byte_start, byte_end, margin)
-- The words around a quote: margin bytes to either side, clamped to the text; an edge that was cut
-- moves inward to white space, or to a whole character where there is none. The quote itself is
-- never touched: byte_start - context_start finds it inside context.
-- Returns: one row (context, context_start as a byte offset in content, context_complete: neither
-- edge was cut).   Raises: TS005.   Runs as: caller, reads no table.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.evidence_context') is null then
        create type memory_v1.evidence_context as (
            context text,
            context_start integer,
            context_complete boolean
        );
    end if;
end
$do$;

create or replace function memory_v1.evidence_window(
    content text,
    byte_start integer,
    byte_end integer,
    margin integer default 160
)
returns memory_v1.evidence_context
language plpgsql
immutable
parallel safe
as $func$
declare
    v_space constant text := E'\t\n\u000B\f\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029'
        '\u202F\u205F\u3000';
    v_bytes bytea;
    v_length integer := pg_catalog.octet_length(evidence_window.content);
    v_cut_left constant boolean := evidence_window.byte_start > evidence_window.margin;
    v_cut_right constant boolean :=
        v_length::bigint - evidence_window.byte_end > evidence_window.margin;
    v_single constant boolean := v_length = pg_catalog.char_length(evidence_window.content);
    v_from integer := 0;
    v_to integer := v_length;
    v_left text;
    v_right text;
    v_quote text;
    v_result memory_v1.evidence_context;
begin
    if evidence_window.byte_start is null or evidence_window.byte_end is null
        or evidence_window.margin is null
        or evidence_window.byte_start < 0 or evidence_window.margin < 0
        or evidence_window.byte_end < evidence_window.byte_start
        or evidence_window.byte_end > v_length
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'byte_start, byte_end and margin must be given, not negative, in order and '
                'inside content',
            hint = 'Count in bytes of UTF-8, half open.';
    end if;
    if v_length is null then
        return row(''::text, evidence_window.byte_start, false);
    end if;
    if v_single and not v_cut_left and not v_cut_right then
        return row(evidence_window.content, 0, true);
    end if;

    if v_cut_left then
        v_from := evidence_window.byte_start - evidence_window.margin;
    end if;
    if v_cut_right then
        v_to := evidence_window.byte_end + evidence_window.margin;
    end if;
    if v_single then
        v_left := pg_catalog.substr(
            evidence_window.content, v_from + 1, evidence_window.byte_start - v_from);
        v_right := pg_catalog.substr(
            evidence_window.content, evidence_window.byte_end + 1,
            v_to - evidence_window.byte_end);
        v_quote := pg_catalog.substr(
            evidence_window.content, evidence_window.byte_start + 1,
            evidence_window.byte_end - evidence_window.byte_start);
    else
        v_bytes := pg_catalog.convert_to(evidence_window.content, 'UTF8');
        -- 128..191 are the later bytes of a character.
        if (evidence_window.byte_start < v_length
                and pg_catalog.get_byte(v_bytes, evidence_window.byte_start) between 128 and 191)
            or (evidence_window.byte_end < v_length
                and pg_catalog.get_byte(v_bytes, evidence_window.byte_end) between 128 and 191)
        then
            raise exception using
                errcode = 'TS005',
                message = 'invalid_argument',
                detail = 'the span splits a character',
                hint = 'Count in bytes of UTF-8 and let a span begin and end at whole characters.';
        end if;
        if not v_cut_left and not v_cut_right then
            return row(evidence_window.content, 0, true);
        end if;
        while v_from < evidence_window.byte_start
            and pg_catalog.get_byte(v_bytes, v_from) between 128 and 191
        loop
            v_from := v_from + 1;
        end loop;
        while v_to > evidence_window.byte_end and v_to < v_length
            and pg_catalog.get_byte(v_bytes, v_to) between 128 and 191
        loop
            v_to := v_to - 1;
        end loop;
        v_left := pg_catalog.convert_from(
            pg_catalog.substr(v_bytes, v_from + 1, evidence_window.byte_start - v_from), 'UTF8');
        v_right := pg_catalog.convert_from(
            pg_catalog.substr(
                v_bytes, evidence_window.byte_end + 1, v_to - evidence_window.byte_end),
            'UTF8');
        v_quote := pg_catalog.convert_from(
            pg_catalog.substr(
                v_bytes, evidence_window.byte_start + 1,
                evidence_window.byte_end - evidence_window.byte_start),
            'UTF8');
    end if;
    if v_cut_left then
        v_left := pg_catalog.regexp_replace(
            v_left, '^[^' || v_space || ']*[' || v_space || ']+', '');
    end if;
    if v_cut_right then
        v_right := pg_catalog.regexp_replace(
            v_right, '[' || v_space || ']+[^' || v_space || ']*$', '');
    end if;
    v_result.context := v_left || v_quote || v_right;
    v_result.context_start := evidence_window.byte_start - pg_catalog.octet_length(v_left);
    v_result.context_complete := false;
    return v_result;
end
$func$;
comment on type memory_v1.evidence_context is 'The words around a quote.';
comment on function memory_v1.evidence_window(text, integer, integer, integer) is
'The words around a quote: margin bytes either side, cut at white space, the quote whole.';
revoke all on function memory_v1.evidence_window(text, integer, integer, integer) from public;
grant execute on function memory_v1.evidence_window(text, integer, integer, integer)
to taisce_reader, taisce_analyst, taisce_writer;
