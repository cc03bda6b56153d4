-- taisce.load_facts(project_id, lines, fresh, now)
-- Stores the claims and facts of some lines with what they mention. A fact told again gains the
-- evidence it lacked; one that was retracted is believed again. What holds one value at a time and
-- does not stand alone is placed line by line. fresh: the observations of the same lines.
-- Returns: counts of what was new.   Raises: TS006, TS007, TS008.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.load_facts(
    project_id bigint,
    lines taisce.load_line[],
    fresh taisce.load_observation[],
    now timestamptz
)
returns jsonb
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_claims bigint;
    v_spans taisce.load_span[];
    v_facts taisce.load_fact[];
    v_refs taisce.load_reference[];
    v_entities bigint;
    v_new bigint;
    v_versions bigint;
    v_evidence bigint;
    v_superseded bigint;
    v_cut_ids uuid[];
    v_cut_known timestamptz[];
    v_cut_ends timestamptz[];
    v_cut_stamps timestamptz[];
    v_cut_by uuid[];
    v_cut_sources uuid[];
    v_groups uuid[] := '{}';
    v_mentions bigint;
    v_repeated bigint;
    v_effective integer[];
    v_first timestamptz;
    v_number integer;
    v_given timestamptz;
    v_fact taisce.load_fact;
    v_placed taisce.placement;
    v_bad record;
begin
    select r.spans, r.claims, r.repeated
    into v_spans, v_claims, v_repeated
    from taisce.load_spans(
        load_facts.project_id, load_facts.lines, load_facts.fresh, load_facts.now) as r;
    v_facts := taisce.read_load_facts(load_facts.project_id, load_facts.lines, v_spans);

    v_refs := array(
        select row(f.line, e.field, e.given, f.source,
            case when f.source_role = 'user' then f.data_subject_id end, null
        )::taisce.load_reference
        from unnest(v_facts) as f
        cross join lateral (
            values ('subject', f.subject), ('object', f.object)
        ) as e (field, given)
        where e.given is not null
        union all
        select row(l.line, 'mentions[' || m.ordinality - 1 || ']', m.value, s.observation_id,
            null, null
        )::taisce.load_reference
        from unnest(load_facts.lines) as l
        join unnest(v_spans) as s on s.line = l.line and s.item is null
        cross join lateral jsonb_array_elements(
            coalesce(nullif(l.body -> 'mentions', 'null'), '[]')) with ordinality as m
        where l.type = 'claim'
    );
    select r.resolved, r.entities
    into v_refs, v_entities
    from taisce.resolve_references(load_facts.project_id, v_refs, load_facts.now) as r;

    -- The same content is the same fact; of those that a merge made alike, the one keyed so or the
    -- one that has this evidence.
    v_facts := array(
        with named as materialized (
            select f.*, s.entity_id as subject_entity_id, o.entity_id as object_entity_id,
                taisce.fact_content_key(
                    load_facts.project_id, f.kind, s.entity_id, f.predicate, o.entity_id, f.value,
                    f.statement, f.source_role, f.data_subject_id, f.stated_from, f.stated_until
                ) as content
            from unnest(v_facts) as f
            join unnest(v_refs) as s on s.line = f.line and s.field = 'subject'
            left join unnest(v_refs) as o on o.line = f.line and o.field = 'object'
        )
        select row(
            n.line, n.key, n.subject, n.object, n.kind, n.predicate, n.value, n.statement,
            n.cardinality, n.stated_from, n.stated_until, n.known_from, n.confidence, n.source_role,
            n.data_subject_id, n.on_conflict, n.log_offset, n.source, n.retention_until,
            n.subject_entity_id, n.object_entity_id, n.content,
            coalesce(k.fact_id, first_value(taisce.make_fact_id(n.log_offset, n.content)) over (
                partition by n.content order by n.line)),
            k.fact_id is null
                and row_number() over (partition by n.content order by n.line) = 1,
            false, null, null, null, null, null
        )::taisce.load_fact
        from named as n
        cross join lateral (
            select case
                when cardinality(a.ids) < 2 then a.ids[1]
                else taisce.pick_fact(
                    load_facts.project_id, a.ids, n.key, array(
                        select s.claim_id from unnest(v_spans) as s where s.line = n.line))
                end as fact_id
            from (
                select array(
                    select f.fact_id
                    from taisce.fact as f
                    where f.project_id = load_facts.project_id
                      and f.content_key between n.content and n.content
                    order by f.content_key
                ) as ids
                offset 0
            ) as a
        ) as k
        order by n.line
    );

    insert into taisce.load_key (project_id, kind, key, id)
    select distinct on (f.key) load_facts.project_id, 'fact', f.key, f.fact_id
    from unnest(v_facts) as f
    where f.key is not null
    order by f.key, f.line
    on conflict do nothing;
    select f.line
    into v_bad
    from unnest(v_facts) as f
    where f.fact_id <> (
        select k.id
        from taisce.load_key as k
        where k.project_id = load_facts.project_id
          and k.kind = 'fact'
          and k.key between f.key and f.key
        order by k.key
        limit 1
    )
    order by f.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, 'key', 'was used before for another fact', 'TS007');
    end if;

    -- Only what adds something takes a stamp: loading a file twice leaves even the clock alone.
    v_effective := array(
        select f.line
        from unnest(v_facts) as f
        where f.fresh
        union
        select f.line
        from unnest(v_facts) as f
        join unnest(v_spans) as s on s.line = f.line
        left join lateral (
            select e.claim_id
            from taisce.fact_evidence as e
            where e.project_id = load_facts.project_id
              and e.fact_id between f.fact_id and f.fact_id
              and e.stance = s.stance
              and e.log_offset = s.log_offset
              and e.ordinal = s.ordinal
              and e.byte_start = s.byte_start
              and e.claim_id = s.claim_id
            order by e.fact_id
            limit 1
        ) as e on true
        where not f.fresh
          and e.claim_id is null
        order by 1
    );
    v_repeated := v_repeated + cardinality(v_facts) - cardinality(v_effective);
    select count(*) filter (where f.known_from is null), max(f.known_from)
    into v_number, v_given
    from unnest(v_facts) as f
    where f.line = any (v_effective);
    if v_given is not null then
        perform taisce.accept_stamp(load_facts.project_id, v_given);
    end if;
    if v_number > 0 then
        v_first := taisce.take_stamp(load_facts.project_id, v_number);
    end if;

    v_facts := taisce.arrange_facts(load_facts.project_id, v_facts, v_effective, v_first);

    insert into taisce.fact (
        project_id, fact_id, content_key, kind, subject_entity_id, predicate, object_entity_id,
        object_value, statement, confidence, source_role, data_subject_id, cardinality,
        retention_until, recorded_at, stated_from, stated_until, superseded_by,
        supersession_source
    )
    select
        load_facts.project_id, f.fact_id, f.content_key, f.kind, f.subject_id, f.predicate,
        f.object_id, f.value, f.statement, f.confidence, f.source_role, f.data_subject_id,
        f.cardinality, f.retention_until, f.stamp, f.stated_from, f.stated_until, f.next_fact,
        f.next_source
    from unnest(v_facts) as f
    where f.fresh
    order by f.fact_id;
    get diagnostics v_new = row_count;

    -- What the next of these facts replaces has two versions: as told, and as it ended.
    insert into taisce.fact_version (
        project_id, fact_id, known_from, known_to, valid_from, valid_to, live, replaced, slot,
        subject_entity_id, object_entity_id, predicate, source_role, data_subject_id,
        retention_until, cause, caused_by, closed_cause, closed_by
    )
    select
        load_facts.project_id, f.fact_id, v.known_from, v.known_to, f.stated_from, v.valid_to,
        v.known_to = 'infinity' and v.valid_to > load_facts.now, v.replaced,
        f.cardinality = 'one' and f.predicate is not null, f.subject_id, f.object_id, f.predicate,
        f.source_role, f.data_subject_id, f.retention_until, v.cause, v.caused_by, v.closed_cause,
        v.closed_by
    from unnest(v_facts) as f
    cross join lateral (
        values
        (f.stamp, coalesce(f.next_stamp, 'infinity'), f.stated_until, false, 'asserted', f.source,
            case when f.next_stamp is not null then 'superseded' end, f.next_source),
        (f.next_stamp, 'infinity', f.next_from, true, 'superseded', f.next_source, null, null)
    ) as v (known_from, known_to, valid_to, replaced, cause, caused_by, closed_cause, closed_by)
    where f.fresh
      and not f.apart
      and v.known_from is not null
    order by f.fact_id, v.known_from;
    get diagnostics v_versions = row_count;
    select count(*)
    into v_superseded
    from unnest(v_facts) as f
    where f.next_stamp is not null;

    select r.evidence, r.mentions
    into v_evidence, v_mentions
    from taisce.load_support(
        load_facts.project_id, v_facts, v_spans, v_refs,
        v_claims < (select count(distinct s.claim_id) from unnest(v_spans) as s)) as r;

    -- What is told again may be kept longer.
    for v_bad in
        select f.fact_id, max(f.retention_until) as retention_until
        from unnest(v_facts) as f
        where not f.fresh
        group by f.fact_id
    loop
        perform taisce.lengthen_retention(
            load_facts.project_id, v_bad.fact_id, v_bad.retention_until);
    end loop;

    -- The last value known before, where the first of these starts inside it.
    select array_agg(o.fact_id), array_agg(o.known_from), array_agg(f.stated_from),
        array_agg(f.stamp), array_agg(f.fact_id), array_agg(f.source)
    into v_cut_ids, v_cut_known, v_cut_ends, v_cut_stamps, v_cut_by, v_cut_sources
    from (
        select distinct on (a.subject_id, a.predicate) a.*
        from unnest(v_facts) as a
        where a.fresh
          and not a.apart
          and a.cardinality = 'one'
          and a.predicate is not null
        order by a.subject_id, a.predicate, a.line
    ) as f
    cross join lateral (
        select v.fact_id, v.known_from, v.valid_to
        from taisce.fact_version as v
        where v.project_id = load_facts.project_id
          and v.subject_entity_id between f.subject_id and f.subject_id
          and v.predicate = f.predicate
          and v.source_role = f.source_role
          and coalesce(v.data_subject_id, '') = coalesce(f.data_subject_id, '')
          and v.slot
          and not v.contested
          and v.known_to = 'infinity'
          and v.valid_from < f.stated_from
        order by v.subject_entity_id desc, v.predicate desc, v.source_role desc,
            coalesce(v.data_subject_id, '') desc, v.contested desc, v.valid_from desc
        limit 1
    ) as o
    where o.valid_to > f.stated_from;
    if v_cut_ids is not null then
        perform taisce.cut_versions(
            load_facts.project_id, v_cut_ids, v_cut_known, v_cut_ends, v_cut_stamps, v_cut_by,
            v_cut_sources);
        v_superseded := v_superseded + cardinality(v_cut_ids);
        v_versions := v_versions + cardinality(v_cut_ids);
    end if;

    for v_fact in
        select f.*
        from unnest(v_facts) as f
        where f.apart
        order by f.line
    loop
        -- Two lines may believe the same fact again.
        continue when not v_fact.fresh and exists (
            select
            from taisce.fact_version as v
            where v.project_id = load_facts.project_id
              and v.fact_id = v_fact.fact_id
              and v.known_to = 'infinity'
        );
        v_placed := taisce.place_version(
            load_facts.project_id, v_fact.fact_id, v_fact.stamp, v_fact.on_conflict,
            case when v_fact.fresh then 'asserted' else 'reopened' end, v_fact.source);
        if v_placed.fault = 'overlap' then
            perform taisce.refuse_line(
                v_fact.line, 'valid_from', 'another value holds at a time this one would cover',
                'TS006');
        elsif v_placed.fault = 'stamp' then
            perform taisce.refuse_line(
                v_fact.line, 'known_from', 'is not later than the version that it replaces');
        end if;
        v_versions := v_versions + 1;
        if not v_fact.fresh then
            update taisce.fact as f
            set retracted_at = null,
                retraction_reason = null
            where f.project_id = load_facts.project_id
              and f.fact_id = v_fact.fact_id
              and f.retracted_at is not null;
        end if;
        if v_placed.superseded is not null then
            v_superseded := v_superseded + 1;
            v_versions := v_versions + 1;
        end if;
        if v_placed.contradiction_group <> all (v_groups) then
            v_groups := v_groups || v_placed.contradiction_group;
        end if;
    end loop;

    return jsonb_build_object(
        'claims', v_claims, 'entities', v_entities, 'names', v_entities, 'facts', v_new,
        'versions', v_versions, 'evidence', v_evidence, 'mentions', v_mentions,
        'superseded', v_superseded, 'contradictions', cardinality(v_groups),
        'repeated', v_repeated);
end
$func$;
comment on function taisce.load_facts(
    bigint, taisce.load_line[], taisce.load_observation[], timestamptz
) is 'Stores the claims and facts of some lines with what they mention.';
revoke all on function taisce.load_facts(
    bigint, taisce.load_line[], taisce.load_observation[], timestamptz
) from public;
