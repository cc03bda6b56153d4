-- requires: operations/operation_types.sql
-- taisce.fact_items(project_id, page, roles, subject, asked, evidence_per_fact, any_time)
-- Facts as operations show them: names, label, both clocks, evidence shared out fairly (60
-- records), exact totals, and of a contradiction every other side, 25 of them here. any_time: facts
-- that do not hold in the scope are shown with their last version.
-- Returns: items in the order of the page, their account columns empty.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.fact_items(
    project_id bigint,
    page taisce.pooled[],
    roles text[],
    subject text,
    asked taisce.asked_time,
    evidence_per_fact integer,
    any_time boolean default false
)
returns memory_v1.fact_item[]
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_scope constant taisce.time_scope := fact_items.asked.scope;
    v_evidence constant integer := 60;
    v_sides constant integer := 25;
    v_rebuilt constant timestamptz := case
        when fact_items.asked.identity_regime = 'as_of' then fact_items.asked.believed_at
    end;
    v_fact_ids uuid[];
    v_groups uuid[];
    v_items memory_v1.fact_item[];
begin
    v_fact_ids := array(
        select p.item_id
        from unnest(fact_items.page) with ordinality
            as p (item_id, score, touches, hops, why, fate, place)
        order by p.place
    );
    v_groups := array(
        select g.contradiction_group
        from unnest(v_fact_ids) as p (fact_id)
        cross join lateral (
            select i.contradiction_group
            from taisce.fact as i
            where i.project_id = fact_items.project_id
              and i.fact_id between p.fact_id and p.fact_id
            order by i.fact_id
            limit 1
        ) as g
        where g.contradiction_group is not null
    );
    with chosen as materialized (
        select c.*
        from taisce.choose_evidence(
            fact_items.project_id, v_fact_ids, fact_items.roles, fact_items.subject,
            v_scope.linked_max, fact_items.evidence_per_fact, v_evidence) as c
    ),
    shown as materialized (
        select
            c.fact,
            jsonb_agg(
                to_jsonb(s) - array['place', 'log_offset', 'occurred_at']
                || jsonb_build_object(
                    'stance', c.stance,
                    'corroboration_count', 1,
                    'grouped_claim_ids', jsonb_build_array(c.claim_id),
                    'score', null)
                order by c.place
            ) as items,
            count(*) filter (where c.stance = 'supports') as supports,
            count(*) filter (where c.stance = 'contradicts') as contradicts
        from (
            select i.fact, i.place, i.stance, i.claim_id,
                row_number() over (order by i.fact, i.place) as number
            from chosen as i
            where i.place > 0
        ) as c
        join taisce.show_claims(
            fact_items.project_id,
            array(select i.claim_id from chosen as i where i.place > 0 order by i.fact, i.place)
        ) as s on s.place = c.number
        group by c.fact
    ),
    side as materialized (
        select
            s.*,
            row_number() over (partition by s.group_id order by s.fact_id) as number
        from taisce.group_sides(
            fact_items.project_id, v_groups, fact_items.roles, fact_items.subject, v_scope) as s
        where cardinality(v_groups) > 0
    )
    select array_agg(
        row(
            f.kind,
            f.fact_id,
            taisce.fact_label(f.statement, v.valid_from, v.valid_to),
            s.canonical_name,
            s.entity_id,
            f.predicate,
            o.canonical_name,
            o.entity_id,
            f.object_value,
            f.statement,
            nullif(v.valid_from, '-infinity'),
            nullif(v.valid_to, 'infinity'),
            nullif(v.known_from, '-infinity'),
            nullif(v.known_to, 'infinity'),
            t.supports,
            t.contradicts,
            g.contradiction,
            f.support,
            f.source_role,
            p.hops,
            trim_scale(round(p.score::numeric, 4)),
            coalesce(e.items, '[]'),
            jsonb_build_object(
                'supports', t.supports,
                'contradicts', t.contradicts,
                'supports_returned', coalesce(e.supports, 0),
                'contradicts_returned', coalesce(e.contradicts, 0)
            ),
            null, null, null, null
        )::memory_v1.fact_item
        order by p.place
    )
    into v_items
    from unnest(fact_items.page) with ordinality
        as p (item_id, score, touches, hops, why, fate, place)
    cross join lateral (
        select i.*
        from taisce.fact as i
        where i.project_id = fact_items.project_id
          and i.fact_id between p.item_id and p.item_id
        order by i.fact_id
        limit 1
    ) as f
    cross join lateral (
        select q.*
        from (
            select i.valid_from, i.valid_to, i.known_from, i.known_to,
                i.known_from <= v_scope.known_from_max
                and i.known_to >= v_scope.known_to_min
                and i.valid_from <= v_scope.valid_from_max
                and i.valid_to >= case when i.replaced then v_scope.replaced_to_min
                    else v_scope.valid_to_min end as holds
            from taisce.fact_version as i
            where i.project_id = fact_items.project_id
              and i.fact_id between p.item_id and p.item_id
            order by i.fact_id desc, i.known_from desc
        ) as q
        where q.holds
           or fact_items.any_time
        order by q.holds desc, q.known_from desc
        limit 1
    ) as v
    cross join lateral (
        select
            case
                when v_rebuilt is null then f.subject_entity_id
                else taisce.end_at(
                    fact_items.project_id, f.fact_id, f.subject_entity_id, 'subjects', v_rebuilt)
            end as subject_id,
            case
                when v_rebuilt is null then f.object_entity_id
                else taisce.end_at(
                    fact_items.project_id, f.fact_id, f.object_entity_id, 'objects', v_rebuilt)
            end as object_id
        offset 0
    ) as ends
    cross join lateral (
        select i.entity_id, taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = fact_items.project_id
          and i.entity_id between ends.subject_id and ends.subject_id
        order by i.entity_id
        limit 1
    ) as s
    left join lateral (
        select i.entity_id, taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = fact_items.project_id
          and i.entity_id between ends.object_id and ends.object_id
        order by i.entity_id
        limit 1
    ) as o on true
    cross join lateral (
        select i.supports, i.contradicts
        from chosen as i
        where i.fact = p.place
          and i.place = 0
        limit 1
    ) as t
    left join lateral (
        select i.items, i.supports, i.contradicts
        from shown as i
        where i.fact = p.place
        limit 1
    ) as e on true
    left join lateral (
        select case
            when q.total > 0 then jsonb_build_object(
                'group_id', f.contradiction_group,
                'co_members', q.members,
                'returned', least(q.total, v_sides),
                'total', q.total,
                'continuation', case
                    when q.total > v_sides then taisce.write_sides_token(
                        f.contradiction_group, q.last_id, f.fact_id, fact_items.roles,
                        fact_items.subject, fact_items.asked)
                end
            )
        end as contradiction
        from (
            select
                count(*) as total,
                jsonb_agg(
                    jsonb_build_object(
                        'fact_kind', i.fact_kind,
                        'fact_id', i.fact_id,
                        'label', taisce.fact_label(i.statement, i.valid_from, i.valid_to),
                        'validity', jsonb_build_object(
                            'valid_from', nullif(i.valid_from, '-infinity'),
                            'valid_until', nullif(i.valid_to, 'infinity'),
                            'known_from', nullif(i.known_from, '-infinity'),
                            'known_until', nullif(i.known_to, 'infinity')
                        ),
                        'evidence_count', i.evidence_count
                    )
                    order by i.fact_id
                ) filter (where i.place <= v_sides) as members,
                (array_agg(i.fact_id) filter (where i.place = v_sides))[1] as last_id
            from (
                select j.*, row_number() over (order by j.fact_id) as place
                from side as j
                where j.group_id = f.contradiction_group
                  and j.fact_id <> f.fact_id
            ) as i
        ) as q
        where f.contradiction_group is not null
    ) as g on true;
    return coalesce(v_items, '{}');
end
$func$;
comment on function taisce.fact_items(
    bigint, taisce.pooled[], text[], text, taisce.asked_time, integer, boolean
) is 'Facts as operations show them, with evidence and the other sides of contradictions.';
revoke all on function taisce.fact_items(
    bigint, taisce.pooled[], text[], text, taisce.asked_time, integer, boolean
) from public;
