-- taisce.observation_digest(kind, data_subject_id, occurred_at, ...)
-- What an idempotency key vouches for: the same key with another digest is a conflict.
-- messages: objects with role, content and occurred_at.
-- Returns: sha256.   Runs as: invoker.   Since: 0.1

create or replace function taisce.observation_digest(
    kind text,
    data_subject_id text,
    occurred_at timestamptz,
    lineage text,
    title text,
    source_kind text,
    source_ref text,
    messages jsonb
)
returns bytea
language sql
stable
parallel safe
as $func$
    select pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(
        observation_digest.kind,
        observation_digest.data_subject_id,
        extract(epoch from observation_digest.occurred_at),
        observation_digest.lineage,
        observation_digest.title,
        observation_digest.source_kind,
        observation_digest.source_ref,
        pg_catalog.jsonb_strip_nulls(observation_digest.messages))::text, 'UTF8'))
$func$;
comment on function taisce.observation_digest(
    text, text, timestamptz, text, text, text, text, jsonb
) is 'What an idempotency key vouches for.';
revoke all on function taisce.observation_digest(
    text, text, timestamptz, text, text, text, text, jsonb
) from public;
