-- taisce.marked_windows(parts, joined)
-- The runs of one to four words of a text as written, with none to three of the marks that touch
-- either end; if joined, each also with one space between its words. Runs that hold and touch
-- nothing but single spaces are left out: they are plain.
-- Returns: the runs by start, then length, then marks on the left, then on the right.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.marked_windows(parts text[], joined boolean)
returns text[]
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_last constant integer := cardinality(parts) / 2;
    v_marked integer[] := '{}';
    v_next integer := 1;
    v_found text[] := '{}';
    v_gap text collate "C";
    v_text text collate "C";
    v_plain text collate "C";
    v_left text collate "C";
    v_right text collate "C";
    v_place text collate "C";
    v_done text collate "C" := '';
begin
    -- The places with marks: i after word i, 0 before the first.
    for i in 0 .. v_last loop
        v_gap := parts[2 * i + 1];
        if v_gap <> ' ' and v_gap <> '' then
            v_marked := array_append(v_marked, i);
        end if;
    end loop;

    for v_start in coalesce(v_marked[1] - 3, v_last + 1) .. v_last loop
        if v_marked[v_next] < v_start - 1 then
            v_next := v_next + 1;
        end if;
        exit when v_marked[v_next] is null;
        continue when v_start < 1 or v_marked[v_next] > v_start + 3;
        v_gap := parts[2 * v_start - 1];
        -- A place like one before gives nothing new.
        v_place := concat_ws(E'\t', v_gap, parts[2 * v_start], parts[2 * v_start + 1],
            parts[2 * v_start + 2], parts[2 * v_start + 3], parts[2 * v_start + 4],
            parts[2 * v_start + 5], parts[2 * v_start + 6], parts[2 * v_start + 7]) || E'\n';
        continue when strpos(v_done, E'\n' || v_place) > 0;
        if octet_length(v_done) < 2048 then
            v_done := v_done || E'\n' || v_place;
        end if;
        v_left := '';
        if v_gap <> ' ' and v_gap <> '' then
            v_left := right(v_gap, least(3, strpos(reverse(v_gap) || ' ', ' ') - 1));
        end if;
        v_text := parts[2 * v_start];
        v_plain := v_text;
        for v_end in v_start .. least(v_start + 3, v_last) loop
            if v_end > v_start then
                v_text := v_text || v_gap || parts[2 * v_end];
                v_plain := v_plain || ' ' || parts[2 * v_end];
            end if;
            v_gap := parts[2 * v_end + 1];
            continue when v_end < v_marked[v_next];
            v_right := '';
            if v_gap <> ' ' and v_gap <> '' then
                v_right := left(v_gap, least(3, strpos(v_gap || ' ', ' ') - 1));
            end if;
            if joined then
                v_found := array_append(v_found, v_plain);
            end if;
            if v_text <> v_plain then
                v_found := array_append(v_found, v_text);
            end if;
            if v_left = '' and v_right = '' then
                continue;
            end if;
            for i in 0 .. length(v_left) loop
                for j in 0 .. length(v_right) loop
                    if i + j > 0 then
                        v_found := array_append(v_found,
                            right(v_left, i) || v_text || left(v_right, j));
                    end if;
                end loop;
            end loop;
        end loop;
    end loop;
    return v_found;
end
$func$;
comment on function taisce.marked_windows(text[], boolean) is
'The runs of one to four words of a text as written, with the marks that touch them.';
revoke all on function taisce.marked_windows(text[], boolean) from public;
