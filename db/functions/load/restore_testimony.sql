-- taisce.restore_testimony(project_id)
-- The part of restore_lines that puts back observations, entities, claims and mentions.
-- Sorting is off and every look-up asks for the order of the key it is to use: without statistics
-- of a project the planner takes any index that begins with project_id for as good as its key.
-- Returns: counts of new rows.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.restore_testimony(project_id bigint)
returns jsonb
language plpgsql
set enable_sort = off
as $func$
#variable_conflict use_column
declare
    v_project_id bigint := restore_testimony.project_id;
    v_counts jsonb;
    v_line integer;
    v_rows bigint;
    v_others bigint;
begin
    -- The stage has no statistics, so no statement joins staged rows with one another.
    with repeated as (
        delete from memory_v1.load_stage as s
        where s.txid = pg_current_xact_id()
          and s.body ? 'id'
          and case s.body ->> 'type'
                when 'observation' then (
                    select true
                    from taisce.observation as o
                    where o.project_id = v_project_id
                      and o.observation_id
                        between (s.body ->> 'id')::uuid and (s.body ->> 'id')::uuid
                    order by o.observation_id
                    limit 1
                )
                when 'entity' then (
                    select true
                    from taisce.entity as e
                    where e.project_id = v_project_id
                      and e.entity_id
                        between (s.body ->> 'id')::uuid and (s.body ->> 'id')::uuid
                    order by e.entity_id
                    limit 1
                )
                when 'claim' then (
                    select true
                    from taisce.claim as c
                    where c.project_id = v_project_id
                      and c.claim_id
                        between (s.body ->> 'id')::uuid and (s.body ->> 'id')::uuid
                    order by c.claim_id
                    limit 1
                )
                when 'fact' then (
                    select true
                    from taisce.fact as f
                    where f.project_id = v_project_id
                      and f.fact_id
                        between (s.body ->> 'id')::uuid and (s.body ->> 'id')::uuid
                    order by f.fact_id
                    limit 1
                )
                else false
            end
        returning 1
    )
    select jsonb_build_object('repeated', count(*)) into v_counts from repeated;

    insert into taisce.observation (
        project_id, observation_id, log_offset, kind, source_role, data_subject_id,
        occurred_at, ingested_at, lineage, source_kind, source_ref, title, idempotency_key,
        content_digest, message_count, characters, retention_until, formed_at, parked_at,
        parked_reason, released_at, erased
    )
    select
        v_project_id, o.id, o.log_offset, coalesce(o.kind, 'turn'), o.source_role,
        o.data_subject_id, o.occurred_at, o.ingested_at,
        coalesce(o.lineage, case when o.erased then '' else o.id::text end),
        o.source_kind, o.source_ref, o.title, o.idempotency_key,
        decode(o.content_digest, 'hex'), n.messages, n.characters,
        coalesce(o.retention_until, 'infinity'), o.formed_at, o.parked_at, o.parked,
        o.released_at, coalesce(o.erased, false)
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as o (
        id uuid, log_offset bigint, kind text, source_role text, data_subject_id text,
        occurred_at timestamptz, ingested_at timestamptz, lineage text, source_kind text,
        source_ref text, title text, idempotency_key text, content_digest text,
        retention_until timestamptz, formed_at timestamptz, parked_at timestamptz,
        parked text, released_at timestamptz, erased boolean, messages jsonb
    )
    cross join lateral (
        select
            count(*) as messages,
            coalesce(sum(coalesce(length(m.content), m.characters)), 0) as characters
        from jsonb_to_recordset(o.messages) as m (content text, characters integer)
    ) as n
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'observation';
    get diagnostics v_rows = row_count;

    insert into taisce.message (
        project_id, observation_id, ordinal, passage_id, log_offset, role, content,
        characters, octets, occurred_at, content_digest, data_subject_id, retention_until
    )
    select
        v_project_id, o.id, m.ordinality - 1, (m.message ->> 'passage_id')::uuid, o.log_offset,
        m.message ->> 'role', t.content,
        coalesce(length(t.content), (m.message ->> 'characters')::integer),
        coalesce(octet_length(t.content), (m.message ->> 'octets')::integer),
        (m.message ->> 'occurred_at')::timestamptz,
        coalesce(
            sha256(convert_to(t.content, 'UTF8')),
            decode(m.message ->> 'content_digest', 'hex')),
        o.data_subject_id, coalesce(o.retention_until, 'infinity')
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as o (
        id uuid, log_offset bigint, data_subject_id text, retention_until timestamptz,
        messages jsonb
    )
    cross join lateral jsonb_array_elements(o.messages) with ordinality as m (message, ordinality)
    cross join lateral (select m.message ->> 'content' as content offset 0) as t
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'observation';
    get diagnostics v_others = row_count;
    v_counts := v_counts || jsonb_build_object(
        'observations', v_rows,
        'messages', v_others,
        'parked', (
            select count(*)
            from memory_v1.load_stage as s
            where s.txid = pg_current_xact_id()
              and s.body ? 'id'
              and s.body ->> 'type' = 'observation'
              and s.body ->> 'parked_at' is not null
        )
    );

    insert into taisce.entity (
        project_id, entity_id, identity_kind, canonical_name, entity_type, profile,
        speaker_subject_id, status, merged_into, first_seen_at, name_source, profile_source
    )
    select
        v_project_id,
        e.id,
        case when e.speaker_of is null then 'named' else 'speaker' end,
        coalesce(e.name, 'speaker'),
        e.entity_type,
        e.profile,
        e.speaker_of,
        coalesce(e.status, 'active'),
        e.merged_into,
        coalesce(e.first_seen_at, now()),
        (e.source ->> 'id')::uuid,
        (e.profile_source ->> 'id')::uuid
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as e (
        id uuid, name text, speaker_of text, entity_type text, profile text, status text,
        merged_into uuid, first_seen_at timestamptz, source jsonb, profile_source jsonb
    )
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'entity';
    get diagnostics v_rows = row_count;

    insert into taisce.entity_name (
        project_id, name_key, entity_id, normalized_name, spelling, kind, words, head_key,
        source_observation_id
    )
    select
        v_project_id,
        taisce.name_key(t.normalized),
        (s.body ->> 'id')::uuid,
        t.normalized,
        n.name ->> 'spelling',
        n.name ->> 'kind',
        w.words,
        case when w.words > 4 then taisce.head_key(t.normalized) end,
        (n.name #>> '{source,id}')::uuid
    from memory_v1.load_stage as s
    cross join lateral jsonb_array_elements(s.body -> 'names') as n (name)
    cross join lateral (
        select taisce.normalize_name(n.name ->> 'spelling') as normalized offset 0
    ) as t
    cross join lateral (select taisce.word_count(t.normalized) as words offset 0) as w
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'entity';
    get diagnostics v_others = row_count;
    v_counts := v_counts || jsonb_build_object('entities', v_rows, 'names', v_others);

    select s.line
    into v_line
    from memory_v1.load_stage as s
    where s.txid = pg_current_xact_id()
      and ((s.body ? 'id' and s.body ->> 'type' = 'claim') or s.body ->> 'type' = 'mention')
      and (
        select true
        from taisce.message as m
        where m.project_id = v_project_id
          and m.observation_id = (s.body #>> '{observation,id}')::uuid
          and m.ordinal between coalesce((s.body ->> 'ordinal')::integer, 0)
            and coalesce((s.body ->> 'ordinal')::integer, 0)
          and (
            s.body ->> 'type' = 'mention'
            or m.content is null
            or substr(
                convert_to(m.content, 'UTF8'), (s.body ->> 'byte_start')::integer + 1,
                octet_length(s.body ->> 'quote')
            ) = convert_to(s.body ->> 'quote', 'UTF8')
          )
        order by m.ordinal
        limit 1
      ) is null
    order by s.line
    limit 1;
    if found then
        raise exception using
            errcode = 'TS008',
            message = 'invalid_load',
            detail = format('line %s, field observation: has no such message with such words',
                v_line),
            hint = 'Load the whole export, in its order, into an empty project.';
    end if;

    insert into taisce.claim (
        project_id, claim_id, observation_id, ordinal, byte_start, byte_end, quote,
        claim_text, role, log_offset, data_subject_id, retention_until, asserted_at,
        claim_valid_from, claim_valid_until, claim_valid_precision, is_attributed,
        is_current_testimony, extractor_version, ingested_at
    )
    select
        v_project_id, c.id, m.observation_id, m.ordinal, c.byte_start,
        c.byte_start + octet_length(c.quote), c.quote, coalesce(c.claim_text, c.quote), m.role,
        m.log_offset, m.data_subject_id, m.retention_until, c.asserted_at, c.claim_valid_from,
        c.claim_valid_until, coalesce(c.claim_valid_precision, 'unknown'),
        coalesce(c.is_attributed, false), coalesce(c.is_current_testimony, true),
        c.extractor_version, c.ingested_at
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as c (
        id uuid, observation jsonb, ordinal integer, byte_start integer, quote text,
        claim_text text, asserted_at timestamptz, claim_valid_from timestamptz,
        claim_valid_until timestamptz, claim_valid_precision text, is_attributed boolean,
        is_current_testimony boolean, extractor_version text, ingested_at timestamptz
    )
    cross join lateral (
        select g.observation_id, g.ordinal, g.role, g.log_offset, g.data_subject_id,
            g.retention_until
        from taisce.message as g
        where g.project_id = v_project_id
          and g.observation_id = (c.observation ->> 'id')::uuid
          and g.ordinal between coalesce(c.ordinal, 0) and coalesce(c.ordinal, 0)
        order by g.ordinal
        offset 0
    ) as m
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'claim';
    get diagnostics v_rows = row_count;

    insert into taisce.entity_mention (
        project_id, entity_id, observation_id, ordinal, claim_id, data_subject_id, retention_until
    )
    select
        v_project_id, e.id, m.observation_id, m.ordinal,
        case when s.body ->> 'type' = 'claim' then (s.body ->> 'id')::uuid end,
        m.data_subject_id, m.retention_until
    from memory_v1.load_stage as s
    cross join lateral (
        select (s.body #>> '{entity,id}')::uuid as id
        where s.body ->> 'type' = 'mention'
        union all
        select (t.entity ->> 'id')::uuid
        from jsonb_array_elements(s.body -> 'mentions') as t (entity)
        where s.body ->> 'type' = 'claim'
    ) as e
    cross join lateral (
        select g.observation_id, g.ordinal, g.data_subject_id, g.retention_until
        from taisce.message as g
        where g.project_id = v_project_id
          and g.observation_id = (s.body #>> '{observation,id}')::uuid
          and g.ordinal between coalesce((s.body ->> 'ordinal')::integer, 0)
            and coalesce((s.body ->> 'ordinal')::integer, 0)
        order by g.ordinal
        offset 0
    ) as m
    where s.txid = pg_current_xact_id()
      and (s.body ? 'id' and s.body ->> 'type' = 'claim' or s.body ->> 'type' = 'mention')
    on conflict do nothing;
    get diagnostics v_others = row_count;
    return v_counts || jsonb_build_object('claims', v_rows, 'mentions', v_others);
end
$func$;
comment on function taisce.restore_testimony(bigint) is
'Puts exported observations, entities, claims and mentions of the stage back as they were.';
revoke all on function taisce.restore_testimony(bigint) from public;
