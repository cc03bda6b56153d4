-- taisce.typed_windows(tokens, odd)
-- The runs of one to four tokens as typed that hold one of those numbered in odd. If the first or
-- the last token has no word, so that a name may consist of marks, then also with one to three of
-- the outer marks less on either side; a whole token is never taken away.
-- Returns: the runs by start, then length.   Runs as: invoker.   Since: 0.1

create or replace function taisce.typed_windows(tokens text[], odd integer[])
returns text[]
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_last constant integer := cardinality(tokens);
    v_bare integer[] := '{}';
    v_next integer := 1;
    v_found text[] := '{}';
    v_window text collate "C";
    v_place text collate "C";
    v_done text collate "C" := '';
    v_left integer;
    v_right integer;
begin
    foreach v_left in array odd loop
        if cardinality(taisce.name_words(tokens[v_left])) = 0 then
            v_bare := array_append(v_bare, v_left);
        end if;
    end loop;

    for v_start in coalesce(odd[1] - 3, v_last + 1) .. v_last loop
        if odd[v_next] < v_start then
            v_next := v_next + 1;
        end if;
        exit when odd[v_next] is null;
        continue when v_start < 1 or odd[v_next] > v_start + 3;
        -- A place like one before gives nothing new.
        v_place := concat_ws(' ', tokens[v_start], tokens[v_start + 1], tokens[v_start + 2],
            tokens[v_start + 3]) || E'\n';
        continue when strpos(v_done, E'\n' || v_place) > 0;
        if octet_length(v_done) < 2048 then
            v_done := v_done || E'\n' || v_place;
        end if;
        v_window := '';
        for v_end in v_start .. least(v_start + 3, v_last) loop
            v_window := v_window || tokens[v_end];
            if v_end >= odd[v_next] then
                v_found := array_append(v_found, v_window);
                if v_bare <> '{}' and (v_start = any (v_bare) or v_end = any (v_bare)) then
                    v_left := taisce.outer_marks(tokens[v_start]);
                    v_right := taisce.outer_marks(reverse(tokens[v_end]));
                    for i in 0 .. v_left loop
                        for j in 0 .. v_right loop
                            if i + j > 0 and i + j < length(v_window) then
                                v_found := array_append(v_found,
                                    substr(v_window, 1 + i, length(v_window) - i - j));
                            end if;
                        end loop;
                    end loop;
                end if;
            end if;
            v_window := v_window || ' ';
        end loop;
    end loop;
    return v_found;
end
$func$;
comment on function taisce.typed_windows(text[], integer[]) is
'The runs of one to four tokens as typed, and of marks with fewer of them.';
revoke all on function taisce.typed_windows(text[], integer[]) from public;
