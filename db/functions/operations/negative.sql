-- taisce.negative(kind, because, suggestions), taisce.raise_negative(negative)
-- Why an answer holds nothing, and which call to make instead. Row forms raise all but known_empty.
-- Returns: jsonb {kind, explanation, workaround, suggestions}.
-- Raises: TS004 for unknown_entity, TS013 for boundary.   Runs as: invoker.   Since: 0.1

create or replace function taisce.negative(
    kind text,
    because text,
    suggestions jsonb default '[]'
)
returns jsonb
language sql
immutable
parallel safe
as $func$
    select jsonb_build_object(
        'kind', negative.kind,
        'explanation', t.explanation,
        'workaround', t.workaround,
        'suggestions', negative.suggestions
    )
    from (
        select
            case negative.because
                when 'ids' then case negative.kind
                    when 'boundary'
                        then 'entities: an entity asked for is gone since the first page'
                    else 'entities: an id of entity_ids leads to no entity of this project'
                end
                when 'name' then 'name: no entity of this project has that name or alias'
                when 'words' then 'words: nothing that matches the words of the query is held'
                when 'no_facts' then 'no_facts: the entities are known, nothing is held about them'
                when 'no_testimony' then
                    'no_testimony: nothing that matches was said about these entities'
                when 'subject' then
                    'subject: something matches, but none of it rests on this data subject''s words'
                when 'role' then 'role: something matches, but none of it from these source_roles'
                when 'predicate' then 'predicate: facts match, but no relation has this predicate'
                when 'time' then 'time: facts match, but none holds at the time asked for'
                when 'evidence' then
                    'evidence: facts match, but no words behind them may be shown'
                when 'rest' then 'rest: what was left to show is no longer held'
            end,
            case negative.because
                when 'ids' then 'Find ids with resolve_entity(name); start again without '
                    'continuation.'
                when 'name' then 'Try another spelling or a shorter name, or fact_context with '
                    'the words you have and no entity_ids.'
                when 'words' then 'Ask with other words, or resolve_entity a name and give its id '
                    'as entity_ids.'
                when 'no_facts' then 'Ask testimony_context for what was said about them.'
                when 'no_testimony' then 'Ask without entity_ids, or fact_context for what is held.'
                when 'subject' then 'Leave data_subject_id out.'
                when 'role' then 'Name more source_roles.'
                when 'predicate' then 'Leave predicate out; facts name theirs.'
                when 'time' then 'Ask with time_scope {"mode": "history"}.'
                when 'evidence' then 'Name more source_roles, or leave data_subject_id out.'
                when 'rest' then 'Ask again without continuation.'
            end
    ) as t (explanation, workaround)
$func$;
comment on function taisce.negative(text, text, jsonb) is
'Why an answer holds nothing, and which call to make instead.';
revoke all on function taisce.negative(text, text, jsonb) from public;

create or replace function taisce.raise_negative(negative jsonb)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    if raise_negative.negative ->> 'kind' = 'unknown_entity' then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'unknown_entity: an id of entity_ids leads to no entity',
            hint = raise_negative.negative ->> 'workaround';
    elsif raise_negative.negative ->> 'kind' = 'boundary' then
        raise exception using
            errcode = 'TS013',
            message = 'boundary',
            detail = raise_negative.negative ->> 'explanation',
            hint = raise_negative.negative ->> 'workaround';
    end if;
end
$func$;
comment on function taisce.raise_negative(jsonb) is
'Raises an unknown entity as TS004 and a boundary as TS013; else nothing.';
revoke all on function taisce.raise_negative(jsonb) from public;
