-- taisce.load_fields()
-- Every field that a line of the load format may have, and what it must hold. The types message
-- and evidence are the objects inside observations and facts.
-- Returns: one row a field.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.load_field') is null then
        create type taisce.load_field as (
            type text, field text, kind text, required boolean, admin boolean
        );
    end if;
end
$do$;

create or replace function taisce.load_fields()
returns setof taisce.load_field
language sql
immutable
parallel safe
rows 120
as $func$
    values
    ('project', 'type', 'any', true, true),
    ('project', 'default_source_roles', 'roles', false, true),
    ('project', 'word_configuration', 'label', false, true),
    ('project', 'reference_length', 'number', false, true),

    ('predicate', 'type', 'any', true, false),
    ('predicate', 'predicate', 'predicate', true, false),
    ('predicate', 'cardinality', 'one|many', false, false),
    ('predicate', 'description', 'words', false, false),

    ('observation', 'type', 'any', true, false),
    ('observation', 'key', 'label', false, false),
    ('observation', 'idempotency_key', 'label', false, false),
    ('observation', 'kind', 'turn|document|curated', false, false),
    ('observation', 'data_subject_id', 'label', false, false),
    ('observation', 'occurred_at', 'instant', false, false),
    ('observation', 'lineage', 'name', false, false),
    ('observation', 'title', 'name', false, false),
    ('observation', 'source_kind', 'label', false, false),
    ('observation', 'source_ref', 'name', false, false),
    ('observation', 'retention_until', 'instant', false, false),
    ('observation', 'formed', 'boolean', false, false),
    ('observation', 'messages', 'list', true, false),
    ('observation', 'log_offset', 'offset', false, true),
    ('observation', 'parked', 'words', false, true),
    ('message', 'role', 'user|assistant|system|tool|document', true, false),
    ('message', 'content', 'words', true, false),
    ('message', 'occurred_at', 'instant', false, false),

    ('entity', 'type', 'any', true, false),
    ('entity', 'key', 'label', false, false),
    ('entity', 'name', 'spelling', false, false),
    ('entity', 'speaker_of', 'label', false, false),
    ('entity', 'entity_type', 'label', false, false),
    ('entity', 'aliases', 'names', false, false),
    ('entity', 'profile', 'words', false, false),
    ('entity', 'source', 'thing', false, false),

    ('claim', 'type', 'any', true, false),
    ('claim', 'key', 'label', false, false),
    ('claim', 'observation', 'thing', true, false),
    ('claim', 'ordinal', 'count', false, false),
    ('claim', 'quote', 'words', true, false),
    ('claim', 'byte_start', 'count', false, false),
    ('claim', 'claim_text', 'words', false, false),
    ('claim', 'mentions', 'entities', false, false),
    ('claim', 'asserted_at', 'instant', false, false),
    ('claim', 'claim_valid_from', 'instant', false, false),
    ('claim', 'claim_valid_until', 'instant', false, false),
    ('claim', 'claim_valid_precision', 'unknown|instant|day|month|quarter|year|open', false,
        false),
    ('claim', 'is_attributed', 'boolean', false, false),
    ('claim', 'extractor_version', 'label', false, false),
    ('claim', 'is_current_testimony', 'boolean', false, true),

    ('fact', 'type', 'any', true, false),
    ('fact', 'key', 'label', false, false),
    ('fact', 'subject', 'entity', true, false),
    ('fact', 'predicate', 'predicate', false, false),
    ('fact', 'object', 'entity', false, false),
    ('fact', 'value', 'words', false, false),
    ('fact', 'statement', 'words', true, false),
    ('fact', 'cardinality', 'one|many', false, false),
    ('fact', 'valid_from', 'instant', false, false),
    ('fact', 'valid_until', 'instant', false, false),
    ('fact', 'known_from', 'instant', false, true),
    ('fact', 'confidence', 'share', false, false),
    ('fact', 'source_role', 'user|assistant|system|tool|document', false, false),
    ('fact', 'data_subject_id', 'label', false, false),
    ('fact', 'on_conflict', 'refuse|contradict|truncate', false, false),
    ('fact', 'evidence', 'list', true, false),
    ('evidence', 'observation', 'thing', false, false),
    ('evidence', 'ordinal', 'count', false, false),
    ('evidence', 'quote', 'words', false, false),
    ('evidence', 'byte_start', 'count', false, false),
    ('evidence', 'claim', 'thing', false, false),
    ('evidence', 'claim_text', 'words', false, false),
    ('evidence', 'stance', 'supports|contradicts', false, false),

    ('version', 'type', 'any', true, true),
    ('version', 'fact', 'thing', true, true),
    ('version', 'valid_from', 'instant', false, true),
    ('version', 'valid_until', 'instant', false, true),
    ('version', 'known_from', 'instant', true, true),
    ('version', 'known_until', 'instant', false, true),
    ('version', 'replaced', 'boolean', false, true),

    ('retract', 'type', 'any', true, false),
    ('retract', 'fact', 'thing', true, false),
    ('retract', 'at', 'instant', false, true),
    ('retract', 'reason', 'words', false, false),

    ('contradiction', 'type', 'any', true, false),
    ('contradiction', 'facts', 'things', true, false),

    ('merge', 'type', 'any', true, false),
    ('merge', 'absorbed', 'entity', true, false),
    ('merge', 'survivor', 'entity', true, false),
    ('merge', 'at', 'instant', false, true),

    ('community', 'type', 'any', true, false),
    ('community', 'key', 'label', true, false),
    ('community', 'level', 'count', false, false),
    ('community', 'parent', 'thing', false, false),
    ('community', 'members', 'entities', true, false),

    ('report', 'type', 'any', true, false),
    ('report', 'community', 'thing', true, false),
    ('report', 'title', 'words', true, false),
    ('report', 'summary', 'words', true, false),
    ('report', 'importance', 'number', false, false),
    ('report', 'facts', 'things', false, false),
    ('report', 'sources', 'things', false, false),

    ('segment', 'type', 'any', true, false),
    ('segment', 'data_subject_id', 'label', true, false),
    ('segment', 'level', 'level', true, false),
    ('segment', 'from_offset', 'offset', true, false),
    ('segment', 'to_offset', 'offset', true, false),
    ('segment', 'covered', 'count', false, false),
    ('segment', 'summary', 'words', true, false)
$func$;
comment on function taisce.load_fields() is
'Every field that a line of the load format may have, and what it must hold.';
revoke all on function taisce.load_fields() from public;
