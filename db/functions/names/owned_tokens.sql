-- taisce.owned_tokens(tokens)
-- The runs of one to four tokens as typed whose last ends in a possessive 's, without it and what
-- follows it, where the first or the last token has no word otherwise, so that a name may consist
-- of marks; with none to three of the outer marks less on either side.
-- Returns: the runs by start, then length.   Runs as: invoker.   Since: 0.1

create or replace function taisce.owned_tokens(tokens text[])
returns text[]
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_last constant integer := cardinality(tokens);
    v_found text[] := '{}';
    v_owner text collate "C";
    v_first text collate "C";
    v_window text collate "C";
    v_left integer;
    v_right integer;
begin
    for v_start in 1 .. v_last loop
        v_first := tokens[v_start];
        v_window := '';
        for v_end in v_start .. least(v_start + 3, v_last) loop
            v_owner := null;
            if tokens[v_end] ~ '.[''\u02bc]s' then
                v_owner := taisce.owner_token(tokens[v_end]);
            end if;
            if v_owner is not null and (
                cardinality(taisce.name_words(v_owner)) = 0
                or v_end > v_start and cardinality(taisce.name_words(v_first)) = 0)
            then
                v_left := taisce.outer_marks(case v_end when v_start then v_owner else v_first end);
                v_right := taisce.outer_marks(reverse(v_owner));
                for i in 0 .. v_left loop
                    for j in 0 .. v_right loop
                        if i + j < length(v_window || v_owner) then
                            v_found := array_append(v_found, substr(
                                v_window || v_owner, 1 + i, length(v_window || v_owner) - i - j));
                        end if;
                    end loop;
                end loop;
            end if;
            v_window := v_window || tokens[v_end] || ' ';
        end loop;
    end loop;
    return v_found;
end
$func$;
comment on function taisce.owned_tokens(text[]) is
'The runs of one to four tokens without the possessive of the last, of names of marks.';
revoke all on function taisce.owned_tokens(text[]) from public;
