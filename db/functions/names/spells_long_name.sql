-- taisce.spells_long_name(terms, name)
-- Whether a question spells out a normalised name of more than four words. One pass over the
-- question, however often it holds the head of the name.
-- Returns: true or false.   Runs as: invoker.   Since: 0.1

create or replace function taisce.spells_long_name(terms taisce.term_set, name text)
returns boolean
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_question text collate "C" := terms.question;
    v_words text[] := terms.words;
    v_name text collate "C" := name;
    v_name_words text[] := taisce.name_words(name);
    v_size integer := cardinality(v_name_words);
    v_head text collate "C" := array_to_string(v_name_words[1:4], ' ');
    v_left integer;
    v_right integer;
    v_word text collate "C";
    v_number integer := 0;
    v_at integer := 1;
    v_offset integer;
    v_starts integer[] := '{}';
    v_ends integer[] := '{}';
    v_start integer;
    v_from integer;
    v_until integer;
begin
    if v_size < 5 or v_size > cardinality(v_words) or strpos(v_question, v_name) = 0 then
        return false;
    end if;

    -- Up to three characters other than spaces may stand before the first word and after the last.
    foreach v_word in array v_name_words loop
        v_offset := strpos(substr(v_name, v_at), v_word) - 1;
        v_left := coalesce(v_left, v_offset);
        v_at := v_at + v_offset + length(v_word);
    end loop;
    v_right := length(v_name) + 1 - v_at;
    if v_left > 3 or v_right > 3 or strpos(left(v_name, v_left), ' ') > 0
        or strpos(right(v_name, v_right), ' ') > 0
    then
        return false;
    end if;

    v_at := 1;
    foreach v_word in array v_words loop
        v_offset := strpos(substr(v_question, v_at), v_word) - 1;
        v_starts := array_append(v_starts, v_at + v_offset);
        v_at := v_at + v_offset + length(v_word);
        v_ends := array_append(v_ends, v_at);
    end loop;
    foreach v_word in array terms.heads loop
        v_number := v_number + 1;
        exit when v_number + v_size - 1 > cardinality(v_words);
        continue when v_word <> v_head;
        v_start := v_starts[v_number];
        v_from := v_start - v_left;
        v_until := v_ends[v_number + v_size - 1] + v_right;
        if v_from >= coalesce(v_ends[v_number - 1], 1)
            and v_until <= coalesce(v_starts[v_number + v_size], length(v_question) + 1)
            and substr(v_question, v_from, v_until - v_from) = v_name
        then
            return true;
        end if;
    end loop;
    return false;
end
$func$;
comment on function taisce.spells_long_name(taisce.term_set, text) is
'Whether a question spells out a normalised name of more than four words.';
revoke all on function taisce.spells_long_name(taisce.term_set, text) from public;
