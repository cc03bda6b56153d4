-- taisce.check_recall_controls(...)
-- Refuses controls that are out of range, before anything is read.
-- Raises: TS002 with the control and its limit in DETAIL.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_recall_controls(
    data_subject_id text,
    max_characters integer,
    most_characters integer,
    source_roles text[],
    surfaces text[],
    as_of timestamptz,
    as_known_at timestamptz,
    evidence_per_fact integer,
    has_embedding boolean,
    embedding_model text
)
returns void
language plpgsql
stable
parallel safe
as $func$
declare
    v_detail text;
    v_hint text;
begin
    if data_subject_id is not null
        and (taisce.normalize_name(data_subject_id) = '' or octet_length(data_subject_id) > 1024)
    then
        v_detail := format('data_subject_id must not be blank and holds at most 1024 bytes, not %s',
            octet_length(data_subject_id));
        v_hint := 'Leave it out to read the whole project.';
    elsif max_characters not between 1 and most_characters then
        v_detail := format('max_characters must be between 1 and %s, not %s',
            most_characters, max_characters);
        v_hint := 'An administrator may raise the setting bundle_characters.';
    elsif source_roles is not null and (
        cardinality(source_roles) not between 1 and 5
        or array_ndims(source_roles) <> 1
        or array_position(source_roles, null) is not null
        or not source_roles <@ array['user', 'assistant', 'system', 'tool', 'document']
        or cardinality(source_roles)
            <> (select count(distinct r.role) from unnest(source_roles) as r (role))
    ) then
        v_detail := 'source_roles must be 1 to 5 distinct roles';
        v_hint := 'Choose from user, assistant, system, tool, document.';
    elsif surfaces is not null and (
        cardinality(surfaces) not between 1 and 3
        or array_ndims(surfaces) <> 1
        or array_position(surfaces, null) is not null
        or not surfaces <@ array['facts', 'reports', 'passages']
        or cardinality(surfaces)
            <> (select count(distinct s.surface) from unnest(surfaces) as s (surface))
    ) then
        v_detail := 'surfaces must be 1 to 3 distinct surfaces';
        v_hint := 'Choose from facts, reports, passages.';
    elsif not isfinite(as_of) then
        v_detail := 'as_of must be a finite instant';
        v_hint := 'Leave it out to read what holds now.';
    elsif not isfinite(as_known_at) then
        v_detail := 'as_known_at must be a finite instant';
        v_hint := 'Leave it out to read what is believed now.';
    elsif evidence_per_fact not between 1 and 5 then
        v_detail := format('evidence_per_fact must be between 1 and 5, not %s', evidence_per_fact);
        v_hint := 'Further evidence of a fact is paged by its citation.';
    elsif has_embedding <> (embedding_model is not null) or taisce.is_blank(embedding_model) then
        v_detail := 'query_embedding and embedding_model must be given together';
        v_hint := 'Name the model that made the vector.';
    end if;
    if v_detail is not null then
        raise exception using
            errcode = 'TS002',
            message = 'invalid_recall_controls',
            detail = v_detail,
            hint = v_hint;
    end if;
end
$func$;
comment on function taisce.check_recall_controls(
    text, integer, integer, text[], text[], timestamptz, timestamptz, integer, boolean, text
) is 'Refuses recall controls out of range with TS002, before anything is read.';
revoke all on function taisce.check_recall_controls(
    text, integer, integer, text[], text[], timestamptz, timestamptz, integer, boolean, text
) from public;
