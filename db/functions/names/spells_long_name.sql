-- taisce.spells_long_name(terms, name)
-- Whether a question spells out a normalised name of more than four words: from the beginning of a
-- word to the end of one, or of its part without a possessive 's, or to signs, emoji and unseen
-- marks that stand against it.
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
    v_name text collate "C" := name;
    v_parts text[];
    v_left integer;
    v_right integer;
    v_at integer;
    v_from integer := 1;
    v_before text collate "C";
    v_after text collate "C";
begin
    if strpos(v_question, v_name) = 0 then
        return false;
    end if;
    -- Up to three characters other than spaces may stand before the first word and after the last.
    v_parts := taisce.text_parts(v_name, false);
    v_left := length(v_parts[1]);
    v_right := length(v_parts[cardinality(v_parts)]);
    if cardinality(v_parts) < 11 or v_left > 3 or v_right > 3
        or strpos(v_parts[1] || v_parts[cardinality(v_parts)], ' ') > 0
    then
        return false;
    end if;

    loop
        v_at := strpos(substr(v_question, v_from), v_name);
        exit when v_at = 0;
        v_at := v_from + v_at - 1;
        v_before := rtrim(left(v_question, v_at + v_left - 1), '''-');
        if taisce.ends_word(right(v_before, 1)) then
            v_after := substr(v_question, v_at + length(v_name) - v_right);
            if taisce.ends_word(v_after) then
                return true;
            end if;
            v_after := substr(v_question, v_at + length(v_name));
            if left(v_after, 2) in ('''s', U&'\02BCs')
                and taisce.ends_word(substr(v_after, 3))
            then
                return true;
            end if;
        end if;
        v_from := v_at + 1;
    end loop;
    return false;
end
$func$;
comment on function taisce.spells_long_name(taisce.term_set, text) is
'Whether a question spells out a normalised name of more than four words.';
revoke all on function taisce.spells_long_name(taisce.term_set, text) from public;
