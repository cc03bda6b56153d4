-- taisce.restore_facts(project_id)
-- The part of restore_lines that puts back facts with their versions and evidence, and keys.
-- Sorting is off and every look-up asks for the order of the key it is to use: without statistics
-- of a project the planner takes any index that begins with project_id for as good as its key.
-- Returns: counts of new rows.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.restore_facts(project_id bigint)
returns jsonb
language plpgsql
set enable_sort = off
as $func$
#variable_conflict use_column
declare
    v_project_id bigint := restore_facts.project_id;
    v_line integer;
    v_field text;
    v_facts bigint;
    v_versions bigint;
    v_evidence bigint;
begin
    select s.line, r.field
    into v_line, v_field
    from memory_v1.load_stage as s
    cross join lateral (
        values ('subject', s.body -> 'subject'), ('object', s.body -> 'object')
    ) as r (field, reference)
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'fact'
      and r.reference is not null
      and r.reference <> 'null'
      and (
        select true
        from taisce.entity as e
        where e.project_id = v_project_id
          and e.entity_id between (r.reference ->> 'id')::uuid and (r.reference ->> 'id')::uuid
        order by e.entity_id
        limit 1
      ) is null
    order by s.line
    limit 1;
    if found then
        raise exception using
            errcode = 'TS008',
            message = 'invalid_load',
            detail = format('line %s, field %s: has no such id', v_line, v_field),
            hint = 'Load the whole export, in its order, into an empty project.';
    end if;

    select s.line
    into v_line
    from memory_v1.load_stage as s
    cross join lateral jsonb_array_elements(s.body -> 'evidence') as e (item)
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'fact'
      and (
        select true
        from taisce.claim as c
        where c.project_id = v_project_id
          and c.claim_id between (e.item #>> '{claim,id}')::uuid and (e.item #>> '{claim,id}')::uuid
        order by c.claim_id
        limit 1
      ) is null
    order by s.line
    limit 1;
    if found then
        raise exception using
            errcode = 'TS008',
            message = 'invalid_load',
            detail = format('line %s, field evidence: has no such claim, or it was erased', v_line),
            hint = 'Load the whole export, in its order, into an empty project.';
    end if;

    insert into taisce.fact (
        project_id, fact_id, content_key, kind, subject_entity_id, predicate, object_entity_id,
        object_value, statement, confidence, source_role, data_subject_id, cardinality,
        contradiction_group, support, retention_until, recorded_at, superseded_by,
        supersession_source, retracted_at, retraction_reason, stated_from, stated_until
    )
    select
        v_project_id,
        f.id,
        taisce.fact_content_key(
            v_project_id, k.kind, k.subject_entity_id, f.predicate, k.object_entity_id, f.value,
            f.statement, f.source_role, f.data_subject_id, k.stated_from, k.stated_until),
        k.kind,
        k.subject_entity_id,
        f.predicate,
        k.object_entity_id,
        f.value,
        f.statement,
        f.confidence,
        f.source_role,
        f.data_subject_id,
        f.cardinality,
        f.contradiction_group,
        coalesce(f.support, 'current'),
        coalesce(f.retention_until, 'infinity'),
        f.recorded_at,
        f.superseded_by,
        f.supersession_source,
        f.retracted_at,
        f.retraction_reason,
        k.stated_from,
        k.stated_until
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as f (
        id uuid, subject jsonb, predicate text, object jsonb, value text, statement text,
        confidence double precision, source_role text, data_subject_id text, cardinality text,
        valid_from timestamptz, valid_until timestamptz, contradiction_group uuid, support text,
        retention_until timestamptz, recorded_at timestamptz, superseded_by uuid,
        supersession_source uuid, retracted_at timestamptz, retraction_reason text
    )
    cross join lateral (
        select
            case when f.object is null then 'attribute' else 'relation' end as kind,
            (f.subject ->> 'id')::uuid as subject_entity_id,
            (f.object ->> 'id')::uuid as object_entity_id,
            coalesce(f.valid_from, '-infinity') as stated_from,
            coalesce(f.valid_until, 'infinity') as stated_until
        offset 0
    ) as k
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'fact';
    get diagnostics v_facts = row_count;

    insert into taisce.fact_version (
        project_id, fact_id, known_from, known_to, valid_from, valid_to, live, replaced, slot,
        contested, subject_entity_id, object_entity_id, predicate, source_role, data_subject_id,
        retention_until, cause, caused_by, closed_cause, closed_by
    )
    select
        v_project_id,
        f.id,
        v.known_from,
        coalesce(v.known_until, 'infinity'),
        coalesce(v.valid_from, '-infinity'),
        coalesce(v.valid_until, 'infinity'),
        v.known_until is null and coalesce(v.valid_until > now(), true),
        coalesce(v.replaced, false),
        coalesce(v.slot, false),
        coalesce(v.contested, false),
        (f.subject ->> 'id')::uuid,
        (f.object ->> 'id')::uuid,
        f.predicate,
        f.source_role,
        f.data_subject_id,
        coalesce(f.retention_until, 'infinity'),
        coalesce(v.cause, 'loaded'),
        v.caused_by,
        v.closed_cause,
        v.closed_by
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as f (
        id uuid, subject jsonb, predicate text, object jsonb, source_role text,
        data_subject_id text, retention_until timestamptz, versions jsonb
    )
    cross join lateral jsonb_to_recordset(f.versions) as v (
        valid_from timestamptz, valid_until timestamptz, known_from timestamptz,
        known_until timestamptz, replaced boolean, slot boolean, contested boolean, cause text,
        caused_by uuid, closed_cause text, closed_by uuid
    )
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'fact';
    get diagnostics v_versions = row_count;

    insert into taisce.fact_evidence (
        project_id, fact_id, stance, log_offset, ordinal, byte_start, claim_id, observation_id,
        role, data_subject_id, retention_until, linked_at
    )
    select
        v_project_id, f.id, coalesce(e.stance, 'supports'), c.log_offset, c.ordinal, c.byte_start,
        c.claim_id, c.observation_id, c.role, c.data_subject_id, c.retention_until, e.linked_at
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as f (id uuid, evidence jsonb)
    cross join lateral jsonb_to_recordset(f.evidence) as e (
        claim jsonb, stance text, linked_at timestamptz
    )
    cross join lateral (
        select q.claim_id, q.observation_id, q.ordinal, q.byte_start, q.log_offset, q.role,
            q.data_subject_id, q.retention_until
        from taisce.claim as q
        where q.project_id = v_project_id
          and q.claim_id between (e.claim ->> 'id')::uuid and (e.claim ->> 'id')::uuid
        order by q.claim_id
        offset 0
    ) as c
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'fact';
    get diagnostics v_evidence = row_count;

    insert into taisce.load_key (project_id, kind, key, id)
    select v_project_id, s.body ->> 'kind', s.body ->> 'key', (s.body ->> 'id')::uuid
    from memory_v1.load_stage as s
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'key'
    on conflict do nothing;
    return jsonb_build_object(
        'facts', v_facts, 'versions', v_versions, 'evidence', v_evidence);
end
$func$;
comment on function taisce.restore_facts(bigint) is
'Puts exported facts of the stage back as they were, with versions, evidence and keys.';
revoke all on function taisce.restore_facts(bigint) from public;
