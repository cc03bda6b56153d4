-- taisce.split_document(content)
-- Cuts a text that is too long for one message into parts that are not: after the last paragraph
-- that fits, else after a line, else after a word, else wherever it fits. Together they are the
-- text.
-- Returns: the parts in order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.split_document(content text)
returns text[]
language plpgsql
immutable
parallel safe
as $func$
declare
    v_limit constant integer := 65536;
    v_parts text[] := '{}';
    v_rest text := split_document.content;
    v_part text;
    v_end integer;
begin
    while octet_length(v_rest) > v_limit loop
        -- Longer characters make a shorter part.
        v_part := left(v_rest, v_limit);
        while octet_length(v_part) > v_limit loop
            v_part := left(v_part, -greatest(1, (octet_length(v_part) - v_limit) / 4));
        end loop;
        v_end := char_length(substring(v_part from '^.*\S.*\n[ \t\r]*\n'));
        v_end := coalesce(v_end, char_length(substring(v_part from '^.*\S.*\n')));
        v_end := coalesce(v_end, char_length(substring(v_part from '^.*\S.*\s')));
        v_part := left(v_part, coalesce(v_end, char_length(v_part)));
        v_parts := v_parts || v_part;
        v_rest := substr(v_rest, char_length(v_part) + 1);
    end loop;
    if not taisce.is_blank(v_rest) or cardinality(v_parts) = 0 then
        return v_parts || v_rest;
    end if;
    return v_parts;
end
$func$;
comment on function taisce.split_document(text) is
'Cuts a long text into parts that fit into messages, at ends of paragraphs.';
revoke all on function taisce.split_document(text) from public;
