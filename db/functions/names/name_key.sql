-- taisce.name_key(normalized)
-- What entity_name is probed by: the normalised name, or a digest of one too long for a B-tree.
-- A digest begins with U+0001 and is 65 bytes long.
-- Returns: one text.   Runs as: invoker.   Since: 0.1

create or replace function taisce.name_key(normalized text)
returns text
language plpgsql
immutable
strict
parallel safe
as $func$
begin
    if octet_length(normalized) <= 1024 then
        return normalized;
    end if;
    return chr(1) || encode(sha256(convert_to(normalized, 'UTF8')), 'hex');
end
$func$;
comment on function taisce.name_key(text) is
'What names are probed by: the normalised name, or a digest of one longer than 1,024 bytes.';
revoke all on function taisce.name_key(text) from public;
