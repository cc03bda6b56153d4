-- taisce.fact_content_key(project_id, kind, subject_entity_id, ...)
-- What makes a fact that fact: the same content told again is the same fact. Open ends are given
-- as infinity.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.fact_content_key(
    project_id bigint,
    kind text,
    subject_entity_id uuid,
    predicate text,
    object_entity_id uuid,
    object_value text,
    statement text,
    source_role text,
    data_subject_id text,
    stated_from timestamptz,
    stated_until timestamptz
)
returns uuid
language sql
stable
parallel safe
as $func$
    select taisce.make_id('fact', fact_content_key.project_id, pg_catalog.concat_ws(E'\x1f',
        fact_content_key.kind,
        fact_content_key.subject_entity_id,
        coalesce('=' || fact_content_key.predicate, ''),
        coalesce(fact_content_key.object_entity_id::text, ''),
        coalesce(pg_catalog.octet_length(fact_content_key.object_value)
            || '=' || fact_content_key.object_value, ''),
        pg_catalog.octet_length(fact_content_key.statement) || '=' || fact_content_key.statement,
        fact_content_key.source_role,
        coalesce('=' || fact_content_key.data_subject_id, ''),
        extract(epoch from fact_content_key.stated_from),
        extract(epoch from fact_content_key.stated_until)))
$func$;
comment on function taisce.fact_content_key(
    bigint, text, uuid, text, uuid, text, text, text, text, timestamptz, timestamptz
) is 'What makes a fact that fact: the same content told again is the same fact.';
revoke all on function taisce.fact_content_key(
    bigint, text, uuid, text, uuid, text, text, text, text, timestamptz, timestamptz
) from public;
