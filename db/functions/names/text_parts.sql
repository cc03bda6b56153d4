-- taisce.text_parts(normalized, at_symbols)
-- Normalised text in its words and what stands before, between and after them. With at_symbols,
-- signs other than +, emoji and unseen marks end a word as punctuation does.
-- Returns: gap, word, gap, ... word, gap: word i is element 2 * i, the gap after it the next one.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.text_parts(normalized text, at_symbols boolean)
returns text[]
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_text text collate "C" := normalized;
    v_cut text[];
    v_parts text[] := '{}';
    v_gap text := '';
    v_word text;
begin
    -- No normalised text holds a line feed.
    if octet_length(v_text) <> length(v_text) then
        v_text := regexp_replace(
            v_text,
            case
                when at_symbols
                    then '[ ' || taisce.mark_ranges() || taisce.symbol_ranges() || ']+'
                else '[ ' || taisce.mark_ranges() || ']+'
            end,
            E'\n\\&\n',
            'g');
    elsif at_symbols then
        v_text := regexp_replace(v_text, '[ !-&(-*,./:-@[-`{-~]+', E'\n\\&\n', 'g');
    else
        v_text := regexp_replace(v_text, '[ !-#%&(-*,./:;?@[-\]_{}]+', E'\n\\&\n', 'g');
    end if;
    v_cut := string_to_array(v_text, E'\n');
    for i in 1 .. cardinality(v_cut) by 2 loop
        v_word := v_cut[i];
        if strpos('''-', left(v_word, 1)) > 0 or strpos('''-', right(v_word, 1)) > 0 then
            -- What is trimmed stands in the gaps. An empty end of the text comes here too.
            v_word := btrim(v_word, '''-');
            if v_word = '' then
                v_gap := v_gap || v_cut[i] || coalesce(v_cut[i + 1], '');
                continue;
            end if;
            v_parts := array_append(array_append(v_parts,
                v_gap || left(v_cut[i], strpos(v_cut[i], v_word) - 1)), v_word);
            v_gap := substr(v_cut[i], strpos(v_cut[i], v_word) + length(v_word))
                || coalesce(v_cut[i + 1], '');
        else
            v_parts := array_append(array_append(v_parts, v_gap), v_word);
            v_gap := coalesce(v_cut[i + 1], '');
        end if;
    end loop;
    return array_append(v_parts, v_gap);
end
$func$;
comment on function taisce.text_parts(text, boolean) is
'Normalised text in its words and what stands before, between and after them.';
revoke all on function taisce.text_parts(text, boolean) from public;
