-- taisce.date_tokens(body)
-- Dates that a text spells out, in one form: 2026-01-05 for a day, 2026-01 for a month, both for a
-- day. Read are 2026-01-05, 2026/1/5, 5.1.2026, and names of months in English, German, French and
-- Spanish ("5 January 2026", "January 5th, 2026", "5. Januar 2026", "5 de enero de 2026").
-- Returns: one row a token, repeated as in the text.   Runs as: invoker.   Since: 0.1

create or replace function taisce.date_tokens(body text)
returns setof text
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_month constant text := '(jan|feb|f[eé]v|mar|m[aä]r|apr|abr|avr|ma[iy]|jun|juin|jul|juil'
        '|aug|ago|ao[uû]t|sep|set|oct|okt|nov|dec|dez|dic|d[eé]c|ene)[[:alpha:]]*\.?';
    v_day constant text := '([0-9][0-9]?)(?:st|nd|rd|th|er|\.|º)?';
    v_year_pattern constant text := '([0-9][0-9][0-9][0-9])(?![0-9])';
    v_text text;
    v_named boolean;
    v_found text[];
    v_year integer;
    v_number integer;
    v_day_number integer;
begin
    if body !~ '[0-9][0-9][0-9][0-9]' then
        return;
    end if;
    v_text := lower(body);
    v_named := v_text ~ ('\m' || v_month || '[ ,]+([0-9]|de|of)');
    if not v_named and v_text !~ '[0-9][-/.][0-9]' then
        return;
    end if;
    for v_found in
        select array[m[1], m[2], m[3]] as found
        from regexp_matches(
            v_text, '(?<![0-9])([0-9][0-9][0-9][0-9])[-/.]([0-9][0-9]?)(?:[-/.]([0-9][0-9]?))?(?![0-9])',
            'g') as m
        union all
        select array[m[3], m[2], m[1]]
        from regexp_matches(
            v_text, '(?<![0-9.])([0-9][0-9]?)\.([0-9][0-9]?)\.' || v_year_pattern, 'g') as m
        union all
        select array[m[3], m[2], m[1]]
        from regexp_matches(
            v_text, '(?<![0-9])' || v_day || ' (?:de |of )?' || v_month || ',? (?:de |del )?'
                || v_year_pattern, 'g') as m
        where v_named
        union all
        select array[m[3], m[1], m[2]]
        from regexp_matches(
            v_text, '\m' || v_month || ' ' || v_day || ',? ' || v_year_pattern, 'g') as m
        where v_named
        union all
        select array[m[2], m[1], null]
        from regexp_matches(
            v_text, '\m' || v_month || ',? (?:de |of |del )?' || v_year_pattern, 'g') as m
        where v_named
    loop
        v_year := v_found[1]::integer;
        v_number := case
            when v_found[2] ~ '^\d' then v_found[2]::integer
            else case translate(left(v_found[2], 3), 'éäû', 'eau')
                when 'jan' then 1 when 'ene' then 1
                when 'feb' then 2 when 'fev' then 2
                when 'mar' then 3
                when 'apr' then 4 when 'abr' then 4 when 'avr' then 4
                when 'mai' then 5 when 'may' then 5
                when 'jun' then 6
                when 'jui' then case when v_found[2] like 'juil%' then 7 else 6 end
                when 'jul' then 7
                when 'aug' then 8 when 'ago' then 8 when 'aou' then 8
                when 'sep' then 9 when 'set' then 9
                when 'oct' then 10 when 'okt' then 10
                when 'nov' then 11
                when 'dec' then 12 when 'dez' then 12 when 'dic' then 12
            end
        end;
        v_day_number := v_found[3]::integer;
        if v_number between 1 and 12 then
            return next to_char(v_year, 'FM0000') || '-' || to_char(v_number, 'FM00');
            if v_day_number between 1 and 31 then
                return next to_char(v_year, 'FM0000') || '-' || to_char(v_number, 'FM00')
                    || '-' || to_char(v_day_number, 'FM00');
            end if;
        end if;
    end loop;
end
$func$;
comment on function taisce.date_tokens(text) is
'Dates that a text spells out, each in one form, with their months.';
revoke all on function taisce.date_tokens(text) from public;
