-- memory_v1.observe(messages, kind, data_subject_id, occurred_at, idempotency_key, lineage, title,
--     source_kind, source_ref, retention_until, project)
-- Appends what was said: a turn, a document, or a curated text, which needs an administrator.
-- messages: a list of {role, content, occurred_at}, at most 65,536 bytes each; a longer message of
-- a document is split at ends of paragraphs. The same idempotency_key with the same content is the
-- same observation; without a key each call appends. It counts as formed once mark_formed says so.
-- Returns: one row.   Raises: TS003, TS005, TS007.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.observed') is null then
        create type memory_v1.observed as (
            observation_id uuid, log_offset bigint, repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.observed is
'An observation as it was stored.';

create or replace function memory_v1.observe(
    messages jsonb,
    kind text default 'turn',
    data_subject_id text default null,
    occurred_at timestamptz default null,
    idempotency_key text default null,
    lineage text default null,
    title text default null,
    source_kind text default null,
    source_ref text default null,
    retention_until timestamptz default null,
    project text default null
)
returns setof memory_v1.observed
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set datestyle = 'ISO, MDY'
as $func$
declare
    v_project_id bigint := taisce.open_write(observe.project);
    v_messages jsonb := observe.messages;
    v_key constant text := coalesce(observe.idempotency_key, gen_random_uuid()::text);
    v_counts jsonb;
begin
    if observe.kind = 'curated' and not (
        taisce.is_admin() and v_project_id = any (taisce.granted_projects('admin'))
    ) then
        perform taisce.refuse_argument('kind', 'only an administrator writes curated texts');
    end if;
    if observe.kind = 'document' and jsonb_typeof(v_messages) = 'array' then
        v_messages := (
            select coalesce(jsonb_agg(
                case
                    when p.content is null then m.value
                    else jsonb_set(m.value, '{content}', to_jsonb(p.content))
                end
                order by m.ordinality, p.ordinality), '[]')
            from jsonb_array_elements(v_messages) with ordinality as m
            left join lateral unnest(
                case when octet_length(m.value ->> 'content') > 65536
                    then taisce.split_document(m.value ->> 'content') end
            ) with ordinality as p (content) on true
        );
    end if;

    v_counts := taisce.write_line(
        v_project_id,
        jsonb_build_object(
            'type', 'observation',
            'key', v_key,
            'kind', observe.kind,
            'data_subject_id', observe.data_subject_id,
            'occurred_at', observe.occurred_at,
            'lineage', observe.lineage,
            'title', observe.title,
            'source_kind', observe.source_kind,
            'source_ref', observe.source_ref,
            'retention_until', observe.retention_until,
            'formed', false,
            'messages', v_messages
        ),
        '{"key": "idempotency_key"}');
    return query
    select o.observation_id, o.log_offset, (v_counts ->> 'observations')::bigint = 0
    from taisce.observation as o
    where o.project_id = v_project_id
      and o.idempotency_key between v_key and v_key
    order by o.idempotency_key
    limit 1;
end
$func$;
comment on function memory_v1.observe(
    jsonb, text, text, timestamptz, text, text, text, text, text, timestamptz, text
) is
'Append what was said: a turn or a document, as a list of {role, content}. '
'The same idempotency_key with the same content is the same observation.';
revoke all on function memory_v1.observe(
    jsonb, text, text, timestamptz, text, text, text, text, text, timestamptz, text
) from public;
grant execute on function memory_v1.observe(
    jsonb, text, text, timestamptz, text, text, text, text, text, timestamptz, text
) to taisce_writer;
