-- A stand-in for recall whose question says what it does: wait, refuse, or show its session.
create schema memory_v1;
create function memory_v1.recall(
    question text,
    project text default 'stub default',
    data_subject_id text default null,
    max_characters integer default 16000,
    source_roles text[] default '{user}',
    hops integer default 1,
    surfaces text[] default null,
    themes boolean default false,
    as_of timestamptz default null,
    as_known_at timestamptz default null,
    evidence_per_fact integer default 1,
    query_embedding public.vector default null,
    embedding_model text default null
)
returns jsonb
language plpgsql
stable
as $func$
begin
    if question like 'refuse %' then
        raise exception using
            errcode = split_part(question, ' ', 2), message = 'word', detail = 'the detail',
            hint = 'the hint';
    elsif question like 'wait %' then
        perform pg_sleep(split_part(question, ' ', 2)::float);
    elsif question = 'nothing' then
        return null;
    end if;
    return jsonb_build_object(
        'contract', 'recall/v1',
        'controls', jsonb_build_object(
            'project', project,
            'data_subject_id', data_subject_id,
            'max_characters', max_characters,
            'source_roles', source_roles,
            'hops', hops,
            'surfaces', surfaces,
            'themes', themes,
            'evidence_per_fact', evidence_per_fact,
            'embedding_model', embedding_model,
            'max_rows', 200,
            'query_embedding', query_embedding::text,
            'question', question,
            'session', jsonb_build_object(
                'pid', pg_backend_pid(),
                'limit', (
                    select s.setting::int from pg_settings as s where s.name = 'statement_timeout'
                ),
                'prepared', (
                    select count(*) from pg_prepared_statements as p where not p.from_sql
                )
            )
        ),
        'anchors', '[]'::jsonb,
        'facts', '[]'::jsonb,
        'reports', '[]'::jsonb,
        'passages', '[]'::jsonb,
        'truncated', false,
        'cut', null,
        'characters', 0,
        'degraded', '[]'::jsonb,
        'reach', jsonb_build_object(
            'terms', 1,
            'terms_dropped', 0,
            'anchored', 0,
            'named_nothing_known', true,
            'facts_per_anchor', '[]'::jsonb,
            'fanout_cut', '[]'::jsonb,
            'silent_because', 'unknown_name'
        ),
        'freshness', jsonb_build_object(
            'stored', 0,
            'formed', null,
            'parked', 0,
            'rebuilding', null,
            'read_at', statement_timestamp(),
            'known_through', null
        ),
        'scope', jsonb_build_object('as_of', as_of, 'as_known_at', as_known_at)
    );
end
$func$;
