-- taisce.question_terms(question, max_terms)
-- Cuts a question into the names it may hold. Everything is cut from the normalised question, so
-- each part of it is normalised too. The list grows as one text, each item between a line feed and
-- a tab, which no normalised text contains: looking an item up is one search.
-- Returns: one taisce.term_set; without any word its lists are empty and terms are 0.
-- Raises: TS001.   Runs as: invoker.   Since: 0.1

-- question: the normalised question; words: its words; candidates: what is probed by equality,
-- first `plain` windows of words, then `token` windows of tokens, then possessives;
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
    c_marks constant text collate "C" := '()[]{}<>"' || U&'\201C\201D\201E\00AB\00BB\2018\2019'
        || ''',.!?;:`';
    v_text text collate "C";
    v_words text[];
    v_tokens text[];
    v_seen text collate "C" := '';
    v_window text collate "C";
    v_left text collate "C";
    v_bare text collate "C";
    v_heads text[] := '{}';
    v_has_possessive boolean;
    v_additions text[] := '{}';
    v_token_additions integer;
    v_odd integer[] := '{}';
    v_next integer := 1;
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
    v_words := taisce.name_words(v_text);
    v_last := cardinality(v_words);
    if v_last = 0 then
        return row(v_text, v_words, '{}'::text[], 0, 0, 0, '{}'::text[]);
    end if;

    v_has_possessive := strpos(v_text, '''s') > 0;
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

    -- Only a window with a token that is no plain word can add anything.
    v_tokens := string_to_array(v_text, ' ');
    v_last := cardinality(v_tokens);
    for v_start in 1 .. v_last loop
        if strpos(v_seen, E'\n' || v_tokens[v_start] || E'\t') = 0
            or v_tokens[v_start] ~ '^[<>`]|[<>`]$'
        then
            v_odd := array_append(v_odd, v_start);
        end if;
    end loop;
    for v_start in coalesce(v_odd[1] - 3, v_last + 1) .. v_last loop
        if v_odd[v_next] < v_start then
            v_next := v_next + 1;
        end if;
        exit when v_odd[v_next] is null;
        continue when v_start < 1 or v_odd[v_next] > v_start + 3;
        v_window := v_tokens[v_start];
        for v_end in v_start .. least(v_start + 3, v_last) loop
            if v_end > v_start then
                v_window := v_window || ' ' || v_tokens[v_end];
            end if;
            continue when v_end < v_odd[v_next];
            v_additions := array_append(v_additions, v_window);
            v_left := ltrim(v_window, c_marks);
            v_bare := rtrim(v_window, c_marks);
            -- A window of nothing but marks is a name as it stands.
            continue when v_left = '' or (v_left = v_window and v_bare = v_window);
            v_number := length(v_window) - length(v_bare);
            if v_left = v_window then
                v_additions := array_append(v_additions, rtrim(v_bare, ' '));
            else
                v_left := ltrim(v_left, ' ');
                v_additions := array_append(v_additions,
                    rtrim(left(v_left, length(v_left) - v_number), ' '));
                v_additions := array_append(v_additions, v_left);
                for v_cut in 1 .. v_number - 1 loop
                    v_additions := array_append(v_additions, left(v_left, length(v_left) - v_cut));
                end loop;
            end if;
            for v_cut in 1 .. v_number loop
                v_additions := array_append(v_additions,
                    rtrim(left(v_window, length(v_window) - v_cut), ' '));
            end loop;
        end loop;
    end loop;
    v_token_additions := cardinality(v_additions);
    if v_has_possessive then
        for v_start in 1 .. cardinality(v_words) loop
            v_window := '';
            for v_end in v_start .. least(v_start + 3, cardinality(v_words)) loop
                v_window := v_window || v_words[v_end];
                if right(v_window, 2) = '''s' then
                    v_additions := array_append(v_additions, left(v_window, -2));
                end if;
                v_window := v_window || ' ';
            end loop;
        end loop;
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
