-- taisce.question_terms(question, max_terms)
-- Cuts a question into the names it may hold. Everything is cut from the normalised question, so
-- each part of it is normalised too. The list grows as one text, each item between a line feed and
-- a tab, which no normalised text contains: looking an item up is one search.
-- Returns: one taisce.term_set; without any word its lists are empty and terms are 0.
-- Raises: TS001.   Runs as: invoker.   Since: 0.1

-- question: the normalised question; words: its words; candidates: what is probed by equality,
-- first `plain` windows of words, then `token` windows with marks, then possessives;
-- dropped: additions left out over the limit; heads[i]: the four words from word i on, for
-- each i with a fifth word.
do $do$
begin
    if to_regtype('taisce.term_set') is null then
        create type taisce.term_set as (
            question text,
            words text[],
            candidates text[],
            plain integer,
            token integer,
            dropped integer,
            heads text[]
        );
        comment on type taisce.term_set is 'The names that a question may hold.';
    end if;
end
$do$;

create or replace function taisce.question_terms(question text, max_terms integer)
returns taisce.term_set
language plpgsql
immutable
parallel safe
as $func$
declare
    c_max_bytes constant integer := 32768;
    c_marks constant text collate "C" := '''"().,;:!?-*_/[]' || U&'\201C\201D\00AB\00BB\2014';
    v_text text collate "C";
    v_parts text[];
    v_symbol_parts text[];
    v_words text[] := '{}';
    v_tokens text[];
    v_seen text collate "C" := '';
    v_window text collate "C";
    v_heads text[] := '{}';
    v_additions text[];
    v_token_additions integer;
    v_odd integer[] := '{}';
    v_last integer;
    v_bytes integer;
    v_plain integer;
    v_count integer;
    v_token integer := 0;
    v_number integer := 0;
    v_full boolean := false;
    v_dropped bigint[] := '{}';
begin
    if question is null or octet_length(question) > 8192 then
        raise exception using
            errcode = 'TS001',
            message = 'invalid_question',
            detail = format('A question has 1 to 8192 bytes; this one has %s.',
                coalesce(octet_length(question), 0)),
            hint = 'Ask a shorter question.';
    end if;
    v_text := taisce.normalize_name(question);
    if v_text = '' then
        raise exception using
            errcode = 'TS001',
            message = 'invalid_question',
            detail = 'The question is blank.',
            hint = 'Ask with at least one word.';
    end if;
    v_parts := taisce.text_parts(v_text, false);
    for i in 2 .. cardinality(v_parts) by 2 loop
        v_words := array_append(v_words, v_parts[i]);
    end loop;
    v_last := cardinality(v_words);
    if v_last = 0 then
        return row(v_text, v_words, '{}'::text[], 0, 0, 0, '{}'::text[]);
    end if;

    for v_start in 1 .. v_last loop
        if v_start + 3 <= v_last then
            v_window := v_words[v_start] || ' ' || v_words[v_start + 1] || ' '
                || v_words[v_start + 2] || ' ' || v_words[v_start + 3];
            if v_start + 4 <= v_last then
                v_heads := array_append(v_heads, v_window);
            end if;
            if strpos(v_seen, E'\n' || v_words[v_start] || E'\t') = 0 then
                -- No window has begun with this word: all four are new.
                v_seen := v_seen || (E'\n' || v_words[v_start]
                    || E'\t\n' || v_words[v_start] || ' ' || v_words[v_start + 1]
                    || E'\t\n' || v_words[v_start] || ' ' || v_words[v_start + 1]
                    || ' ' || v_words[v_start + 2]
                    || E'\t\n' || v_window || E'\t');
                continue;
            end if;
        end if;
        v_window := E'\n' || v_words[v_start];
        for v_end in v_start .. least(v_start + 3, v_last) loop
            if v_end > v_start then
                v_window := v_window || ' ' || v_words[v_end];
            end if;
            if strpos(v_seen, v_window || E'\t') = 0 then
                v_seen := v_seen || (v_window || E'\t');
            end if;
        end loop;
        exit when octet_length(v_seen) > 4 * c_max_bytes;
    end loop;
    v_plain := cardinality(string_to_array(v_seen, E'\t')) - 1;
    v_bytes := octet_length(v_seen) - 2 * v_plain;
    if v_plain > max_terms or v_bytes > c_max_bytes then
        raise exception using
            errcode = 'TS001',
            message = 'invalid_question',
            detail = format('A question may be cut into at most %s candidate names of %s bytes '
                'together; this one gives at least %s of %s bytes.',
                max_terms, c_max_bytes, v_plain, v_bytes),
            hint = 'Ask a shorter question.';
    end if;

    -- As typed, only a run with a token that is no word between a few marks can add anything.
    v_tokens := string_to_array(v_text, ' ');
    for v_start in 1 .. cardinality(v_tokens) loop
        if strpos(v_seen, E'\n' || v_tokens[v_start] || E'\t') = 0 then
            v_window := btrim(v_tokens[v_start], c_marks);
            if length(v_window) < length(v_tokens[v_start]) - 3
                or strpos(v_seen, E'\n' || v_window || E'\t') = 0
            then
                v_odd := array_append(v_odd, v_start);
            end if;
        end if;
    end loop;
    if taisce.has_symbol(v_text) then
        v_symbol_parts := taisce.text_parts(v_text, true);
    end if;
    v_additions := taisce.marked_windows(v_parts, false);
    if v_symbol_parts is not null then
        v_additions := v_additions || taisce.marked_windows(v_symbol_parts, true);
    end if;
    if v_odd <> '{}' then
        v_additions := v_additions || taisce.typed_windows(v_tokens, v_odd);
    end if;
    v_token_additions := cardinality(v_additions);
    if v_text ~ '[''\u02bc]s' then
        v_additions := v_additions || taisce.owned_windows(v_parts);
        if v_symbol_parts is not null then
            v_additions := v_additions || taisce.owned_windows(v_symbol_parts);
        end if;
        if v_odd <> '{}' then
            v_additions := v_additions || taisce.owned_tokens(v_tokens);
        end if;
    end if;

    v_count := v_plain;
    v_number := 0;
    foreach v_window in array v_additions loop
        v_number := v_number + 1;
        continue when v_window = '';
        if v_full then
            v_dropped := array_append(v_dropped, hashtextextended(v_window, 0));
        elsif strpos(v_seen, E'\n' || v_window || E'\t') = 0 then
            v_bytes := v_bytes + octet_length(v_window);
            if v_count = max_terms or v_bytes > c_max_bytes then
                v_full := true;
                v_dropped := array_append(v_dropped, hashtextextended(v_window, 0));
            else
                v_seen := v_seen || (E'\n' || v_window || E'\t');
                v_count := v_count + 1;
                if v_number <= v_token_additions then
                    v_token := v_token + 1;
                end if;
            end if;
        end if;
    end loop;

    v_tokens := string_to_array(btrim(v_seen, E'\t\n'), E'\t\n');
    return row(
        v_text,
        v_words,
        v_tokens,
        v_plain,
        v_token,
        case
            when v_full then (
                select count(distinct d.hash)::integer
                from unnest(v_dropped) as d (hash)
                where d.hash not in (
                    select hashtextextended(k.candidate, 0)
                    from unnest(v_tokens) as k (candidate)
                )
            )
            else 0
        end,
        v_heads
    );
end
$func$;
comment on function taisce.question_terms(text, integer) is
'The names that a question may hold, ready to be probed.';
revoke all on function taisce.question_terms(text, integer) from public;
