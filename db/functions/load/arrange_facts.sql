-- taisce.arrange_facts(project_id, facts, effective, first_stamp)
-- Gives the facts that change something their stamps, one microsecond apart, and sees how those
-- that hold one value at a time are to be placed. Values of one slot that come in order of time,
-- after all that is known, follow each other at once; whatever else meets others is placed apart.
-- effective: lines of facts that change something; first_stamp: of those that give none.
-- Returns: the effective facts in order of line.   Runs as: invoker.   Since: 0.1

create or replace function taisce.arrange_facts(
    project_id bigint,
    facts taisce.load_fact[],
    effective integer[],
    first_stamp timestamptz
)
returns taisce.load_fact[]
language plpgsql
volatile
set enable_nestloop = off
as $func$
begin
    return (
        with stamped as materialized (
            select f.line, f.key, f.subject, f.object, f.kind, f.predicate, f.value, f.statement,
                f.cardinality, f.stated_from, f.stated_until, f.known_from, f.confidence,
                f.source_role, f.data_subject_id, f.on_conflict, f.log_offset, f.source,
                f.retention_until, f.subject_id, f.object_id, f.content_key, f.fact_id, f.fresh,
                f.cardinality = 'one' and f.predicate is not null as single,
                coalesce(f.known_from, arrange_facts.first_stamp + interval '1 us' * (
                    count(*) filter (where f.known_from is null) over (order by f.line) - 1
                )) as stamp
            from unnest(arrange_facts.facts) as f
            where f.line = any (arrange_facts.effective)
        ),
        beside as (
            select s.*,
                lag(s.stated_from) over w as before_from,
                lag(s.stamp) over w as before_stamp,
                lead(s.stated_from) over w as next_from,
                lead(s.stamp) over w as next_stamp,
                lead(s.fact_id) over w as next_fact,
                lead(s.source) over w as next_source,
                first_value(s.source_role) over w as slot_role,
                first_value(s.data_subject_id) over w as slot_subject
            from stamped as s
            window w as (
                partition by s.single or not s.fresh, s.subject_id, s.predicate order by s.line
            )
        ),
        judged as (
            select b.*,
                -- Of its own group, this one does not follow the one before it in every sense.
                b.single and (
                    not b.fresh
                    or b.before_from >= b.stated_from
                    or b.before_stamp >= b.stamp
                    or b.slot_role <> b.source_role
                    or b.slot_subject is distinct from b.data_subject_id
                    or o.role <> b.source_role
                    or o.subject <> coalesce(b.data_subject_id, '')
                    or o.contested
                    or o.valid_from >= b.stated_from
                    or o.known_from >= b.stamp
                    or f.role <> b.source_role
                    or f.subject <> coalesce(b.data_subject_id, '')
                ) as strays
            from beside as b
            left join lateral (
                select v.source_role as role, coalesce(v.data_subject_id, '') as subject,
                    v.contested, v.valid_from, v.known_from
                from taisce.fact_version as v
                where b.single
                  and v.project_id = arrange_facts.project_id
                  and v.subject_entity_id between b.subject_id and b.subject_id
                  and v.predicate between b.predicate and b.predicate
                  and v.slot
                  and v.known_to = 'infinity'
                order by v.subject_entity_id desc, v.predicate desc, v.source_role desc,
                    coalesce(v.data_subject_id, '') desc, v.contested desc, v.valid_from desc
                limit 1
            ) as o on true
            left join lateral (
                select v.source_role as role, coalesce(v.data_subject_id, '') as subject
                from taisce.fact_version as v
                where b.single
                  and v.project_id = arrange_facts.project_id
                  and v.subject_entity_id between b.subject_id and b.subject_id
                  and v.predicate between b.predicate and b.predicate
                  and v.slot
                  and v.known_to = 'infinity'
                order by v.subject_entity_id, v.predicate, v.source_role,
                    coalesce(v.data_subject_id, ''), v.contested, v.valid_from
                limit 1
            ) as f on true
        ),
        placed as (
            select j.*,
                case
                    when not j.fresh then
                        (
                            select true
                            from taisce.fact_version as v
                            where v.project_id = arrange_facts.project_id
                              and v.fact_id between j.fact_id and j.fact_id
                              and v.known_to = 'infinity'
                            order by v.fact_id
                            limit 1
                        ) is null
                        and not bool_or(j.fresh) over (partition by j.fact_id)
                    else j.single and bool_or(coalesce(j.strays, false) or not j.fresh) over (
                        partition by j.single or not j.fresh, j.subject_id, j.predicate)
                end as apart
            from judged as j
        )
        select coalesce(array_agg(row(
            p.line, p.key, p.subject, p.object, p.kind, p.predicate, p.value, p.statement,
            p.cardinality, p.stated_from, p.stated_until, p.known_from, p.confidence, p.source_role,
            p.data_subject_id, p.on_conflict, p.log_offset, p.source, p.retention_until,
            p.subject_id, p.object_id, p.content_key, p.fact_id, p.fresh, p.apart, p.stamp,
            case when n.replaces then p.next_fact end,
            case when n.replaces then p.next_from end,
            case when n.replaces then p.next_stamp end,
            case when n.replaces then p.next_source end
        )::taisce.load_fact order by p.line), '{}')
        from placed as p
        cross join lateral (
            select p.single and not p.apart and p.stated_until > p.next_from as replaces offset 0
        ) as n
    );
end
$func$;
comment on function taisce.arrange_facts(bigint, taisce.load_fact[], integer[], timestamptz) is
'Gives facts their stamps, and sees how those of one value at a time are to be placed.';
revoke all on function taisce.arrange_facts(bigint, taisce.load_fact[], integer[], timestamptz)
from public;
