-- taisce.name_words(normalized)
-- The words of a normalised name or question: cut at spaces and at punctuation other than ' and -,
-- which are trimmed at word ends.
-- Returns: the words in order, empty if there are none.   Runs as: invoker.   Since: 0.1

create or replace function taisce.name_words(normalized text)
returns text[]
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_text text collate "C" := normalized;
begin
    if octet_length(v_text) = length(v_text) then
        v_text := regexp_replace(v_text, '[!-#%&(-*,./:;?@[-\]_{}]+', ' ', 'g');
    else
        v_text := regexp_replace(v_text, '[' || taisce.mark_ranges() || ']+', ' ', 'g');
    end if;
    if v_text ~ '[''-]( |$)|(^| )[''-]' then
        v_text := regexp_replace(v_text, '(?<![^ ])[''-]+|[''-]+(?![^ ])', '', 'g');
    end if;
    return array_remove(string_to_array(v_text, ' '), '');
end
$func$;
comment on function taisce.name_words(text) is
'The words of a normalised name or question, cut at spaces and punctuation other than '' and -.';
revoke all on function taisce.name_words(text) from public;
