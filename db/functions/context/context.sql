-- memory_v1.context(data_subject_id, max_characters, project)
-- A person's history within a budget of characters: the newest eight formed turns word for word,
-- before them the highest segments that cover all older turns, an older turn without a segment
-- itself. Cut from the oldest end: going back, the first item that does not fit ends it. Messages
-- of every role, each labelled; a person nobody knows has an empty history.
-- Returns: one jsonb, contract context/v1: segments and turns, each oldest first (content of a
-- released message is null), characters, truncated, freshness.
-- Raises: TS003, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.context(
    data_subject_id text,
    max_characters integer default null,
    project text default null
)
returns jsonb
language plpgsql
stable
parallel safe
security definer
cost 10000
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_budget integer;
    v_project_id bigint;
    v_answer jsonb;
begin
    perform taisce.check_subject(context.data_subject_id);
    v_budget := taisce.context_budget(context.max_characters);
    v_project_id := taisce.resolve_project(context.project, 'read');
    select
        jsonb_build_object(
            'contract', 'context/v1',
            'controls', jsonb_build_object(
                'project', (
                    select p.name from taisce.project as p where p.project_id = v_project_id
                ),
                'data_subject_id', context.data_subject_id,
                'max_characters', v_budget
            ),
            'segments', (
                select coalesce(
                    jsonb_agg(
                        jsonb_build_object(
                            'segment_id', i.item_id,
                            'level', i.level,
                            'from_offset', i.from_offset,
                            'to_offset', i.to_offset,
                            'covered', i.covered,
                            'summary', i.summary
                        )
                        order by i.ordinal
                    ) filter (where i.kind = 'segment'),
                    '[]')
                from unnest(c.items) as i
            ),
            'turns', (
                select coalesce(
                    jsonb_agg(
                        jsonb_build_object(
                            'observation_id', i.item_id,
                            'log_offset', i.from_offset,
                            'occurred_at', i.occurred_at,
                            'messages', i.messages
                        )
                        order by i.ordinal
                    ) filter (where i.kind = 'turn'),
                    '[]')
                from unnest(c.items) as i
            ),
            'characters', c.characters,
            'truncated', c.truncated,
            'freshness', taisce.freshness_of(v_project_id)
        )
    into v_answer
    from taisce.context_of(
        v_project_id, context.data_subject_id, v_budget, statement_timestamp()
    ) as c;
    return v_answer;
end
$func$;
comment on function memory_v1.context(text, integer, text) is
'A person''s history within a budget: newest turns word for word, older ones as summaries.';
revoke all on function memory_v1.context(text, integer, text) from public;
grant execute on function memory_v1.context(text, integer, text) to taisce_reader;
