-- taisce.owned_windows(parts)
-- The runs of one to four words of a text whose last word ends in a possessive 's, without it: with
-- one space between the words; and as written, with up to three of the marks that touch the first.
-- Returns: the runs by start, then length.   Runs as: invoker.   Since: 0.1

create or replace function taisce.owned_windows(parts text[])
returns text[]
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_last constant integer := cardinality(parts) / 2;
    v_owners integer[] := '{}';
    v_next integer := 1;
    v_found text[] := '{}';
    v_word text collate "C";
    v_text text collate "C";
    v_plain text collate "C";
    v_left text collate "C";
begin
    for i in 1 .. v_last loop
        v_word := parts[2 * i];
        if right(v_word, 1) = 's' and length(v_word) > 2
            and right(v_word, 2) in ('''s', U&'\02BCs')
        then
            v_owners := array_append(v_owners, i);
        end if;
    end loop;

    for v_start in coalesce(v_owners[1] - 3, v_last + 1) .. v_last loop
        if v_owners[v_next] < v_start then
            v_next := v_next + 1;
        end if;
        exit when v_owners[v_next] is null;
        continue when v_start < 1 or v_owners[v_next] > v_start + 3;
        v_left := parts[2 * v_start - 1];
        v_left := right(v_left, least(3, strpos(reverse(v_left) || ' ', ' ') - 1));
        v_text := '';
        v_plain := '';
        for v_end in v_start .. least(v_start + 3, v_last) loop
            if v_end > v_start then
                v_text := v_text || parts[2 * v_end - 1];
                v_plain := v_plain || ' ';
            end if;
            v_text := v_text || parts[2 * v_end];
            v_plain := v_plain || parts[2 * v_end];
            v_word := parts[2 * v_end];
            continue when right(v_word, 2) not in ('''s', U&'\02BCs') or length(v_word) < 3;
            v_found := array_append(v_found, left(v_plain, -2));
            if v_text <> v_plain then
                v_found := array_append(v_found, left(v_text, -2));
            end if;
            for i in 1 .. length(v_left) loop
                v_found := array_append(v_found, right(v_left, i) || left(v_text, -2));
            end loop;
        end loop;
    end loop;
    return v_found;
end
$func$;
comment on function taisce.owned_windows(text[]) is
'The runs of one to four words of a text without the possessive of the last.';
revoke all on function taisce.owned_windows(text[]) from public;
