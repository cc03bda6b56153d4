-- requires: names/question_terms.sql
-- taisce.long_names(project_id, terms)
-- The stored names of more than four words that a question spells out. A name that begins at a word
-- of the question is a prefix of the rest of it; the longest such prefix is the greatest key not
-- above that rest, so each place costs a few probes however many names begin alike.
-- Returns: normalised names, at most 257.   Runs as: invoker.   Since: 0.1

create or replace function taisce.long_names(project_id bigint, terms taisce.term_set)
returns text[]
language plpgsql
stable
parallel safe
as $func$
declare
    v_most constant integer := 257;
    v_question constant text collate "C" := long_names.terms.question;
    v_heads text[] := long_names.terms.heads[:512];
    v_names text[] := '{}';
    v_at_symbols boolean[] := '{false}';
    v_cut_at_symbols boolean;
    v_parts text[];
    v_at integer;
    v_end integer;
    v_head_end integer;
    v_rest text collate "C";
    v_key text collate "C";
    v_found text collate "C";
    v_low integer;
    v_high integer;
    v_middle integer;
begin
    if taisce.has_symbol(v_question) then
        v_at_symbols := '{false,true}';
    end if;
    foreach v_cut_at_symbols in array v_at_symbols loop
        v_parts := taisce.text_parts(v_question, v_cut_at_symbols);
        v_end := 1;
        for i in 1 .. least(cardinality(v_parts) / 2 - 4, 512) loop
            v_at := v_end + length(v_parts[2 * i - 1]);
            v_head_end := v_at + length(v_parts[2 * i] || v_parts[2 * i + 1] || v_parts[2 * i + 2]
                || v_parts[2 * i + 3] || v_parts[2 * i + 4] || v_parts[2 * i + 5]
                || v_parts[2 * i + 6]);
            if v_cut_at_symbols then
                v_heads := array_append(v_heads, concat_ws(' ', v_parts[2 * i], v_parts[2 * i + 2],
                    v_parts[2 * i + 4], v_parts[2 * i + 6]));
            end if;
            -- Up to three characters that are no part of a word may belong to the name's beginning.
            for v_from in reverse v_at .. greatest(v_at - 3, v_end) loop
                exit when v_from < v_at and substr(v_question, v_from, 1) = ' ';
                v_rest := substr(v_question, v_from, 1024);
                v_key := v_rest;
                loop
                    select n.name_key
                    into v_found
                    from taisce.entity_name as n
                    where n.project_id = long_names.project_id
                      and n.name_key <= v_key
                    order by n.name_key desc
                    limit 1;
                    exit when not found;
                    if starts_with(v_rest, v_found) then
                        if length(v_found) <= v_head_end - v_from then
                            exit;
                        end if;
                        if v_found <> all (v_names)
                            and taisce.spells_long_name(long_names.terms, v_found)
                        then
                            v_names := array_append(v_names, v_found::text);
                        end if;
                        v_key := left(v_found, -1);
                    else
                        v_low := 0;
                        v_high := least(length(v_rest), length(v_found));
                        while v_low < v_high loop
                            v_middle := (v_low + v_high + 1) / 2;
                            if left(v_rest, v_middle) = left(v_found, v_middle) then
                                v_low := v_middle;
                            else
                                v_high := v_middle - 1;
                            end if;
                        end loop;
                        v_key := left(v_rest, v_low);
                    end if;
                    exit when length(v_key) <= v_head_end - v_from
                        or cardinality(v_names) >= v_most;
                end loop;
            end loop;
            v_end := v_at + length(v_parts[2 * i]);
        end loop;
    end loop;

    -- Names too long for their text to be a key are few, and found by their first four words.
    return v_names || array(
        select l.normalized_name
        from (select distinct taisce.name_key(h.head) as key from unnest(v_heads) as h (head)) as h
        cross join lateral (
            select n.normalized_name
            from taisce.entity_name as n
            where n.project_id = long_names.project_id
              and n.head_key between h.key and h.key
              and octet_length(n.normalized_name) > 1024
            order by n.head_key
            limit v_most
        ) as l
        where taisce.spells_long_name(long_names.terms, l.normalized_name)
    );
end
$func$;
comment on function taisce.long_names(bigint, taisce.term_set) is
'The stored names of more than four words that a question spells out.';
revoke all on function taisce.long_names(bigint, taisce.term_set) from public;
