-- requires: search/passage_items.sql
-- requires: time/time_scope.sql
-- taisce.recall_passages(project_id, question, subject, roles, scope, characters)
-- The passages surface of a recall: up to eight, by words, as far as the characters left go. One
-- that does not fit ends it. A time of knowledge keeps what had been taken in by then; the time a
-- fact held does not filter what was said.
-- Returns: one row: items, the characters they cost, and whether one did not fit.
-- Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.recalled_passages') is null then
        create type taisce.recalled_passages as (
            items jsonb,
            characters integer,
            truncated boolean
        );
    end if;
end
$do$;

create or replace function taisce.recall_passages(
    project_id bigint,
    question text,
    subject text,
    roles text[],
    scope taisce.time_scope,
    characters integer
)
returns taisce.recalled_passages
language plpgsql
stable
parallel safe
as $func$
declare
    v_most constant integer := 8;
    v_result taisce.recalled_passages;
begin
    if recall_passages.characters < 1 then
        return row('[]'::jsonb, 0, false)::taisce.recalled_passages;
    end if;
    select
        coalesce(
            jsonb_agg(
                jsonb_build_object(
                    'passage_id', p.passage_id,
                    'observation_id', p.observation_id,
                    'ordinal', p.ordinal,
                    'role', p.role,
                    'title', p.title,
                    'quote', p.quote,
                    'complete', p.complete,
                    'similarity', null,
                    'score', round(p.score::numeric, 4),
                    'why', p.why,
                    'occurred_at', p.occurred_at
                )
                order by p.place
            ) filter (where p.running <= recall_passages.characters),
            '[]'),
        coalesce(max(p.running) filter (where p.running <= recall_passages.characters), 0),
        coalesce(bool_or(p.running > recall_passages.characters), false)
    into v_result
    from (
        select i.*,
            sum(char_length(i.quote) + char_length(i.role)) over (order by i.place) as running
        from taisce.passage_items(
            recall_passages.project_id, recall_passages.question, recall_passages.roles, v_most,
            recall_passages.subject, (recall_passages.scope).known_at
        ) with ordinality as i (passage_id, observation_id, ordinal, role, title, quote, complete,
            occurred_at, log_offset, score, why, place)
    ) as p;
    return v_result;
end
$func$;
comment on function taisce.recall_passages(
    bigint, text, text, text[], taisce.time_scope, integer
) is 'The passages of a recall, by words, as far as the characters left go.';
revoke all on function taisce.recall_passages(
    bigint, text, text, text[], taisce.time_scope, integer
) from public;
