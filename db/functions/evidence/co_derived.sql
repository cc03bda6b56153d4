-- taisce.co_derived(project_id, fact_ids, roles, subject, scope)
-- For each fact, the others of the list that rest on the same message and are about the same
-- subject entity: one person saying one thing once.
-- Returns: one row a fact that has such others: place, their ids in the order of the list.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.co_derived(
    project_id bigint,
    fact_ids uuid[],
    roles text[],
    subject text,
    scope taisce.time_scope
)
returns table (place bigint, others jsonb)
language plpgsql
stable
parallel safe
rows 32
as $func$
declare
    v_linked_max constant timestamptz := co_derived.scope.linked_max;
    v_read_at constant timestamptz := co_derived.scope.read_at;
begin
    return query
    with said as materialized (
        select distinct
            w.place,
            w.fact_id,
            f.subject_entity_id,
            l.observation_id,
            l.ordinal
        from unnest(co_derived.fact_ids) with ordinality as w (fact_id, place)
        join taisce.fact as f
            on f.project_id = co_derived.project_id
            and f.fact_id = w.fact_id
        join taisce.fact_evidence as l
            on l.project_id = co_derived.project_id
            and l.fact_id = w.fact_id
            and l.stance = 'supports'
        where l.role = any (co_derived.roles)
          and (co_derived.subject is null or l.data_subject_id = co_derived.subject)
          and l.retention_until > v_read_at
          and l.linked_at <= v_linked_max
    )
    select
        p.place,
        jsonb_agg(p.other_id order by p.other_place)
    from (
        select distinct a.place, b.place as other_place, b.fact_id as other_id
        from said as a
        join said as b
            on b.observation_id = a.observation_id
            and b.ordinal = a.ordinal
            and b.subject_entity_id = a.subject_entity_id
            and b.place <> a.place
    ) as p
    group by p.place;
end
$func$;
comment on function taisce.co_derived(bigint, uuid[], text[], text, taisce.time_scope) is
'For each fact, the others of a list that rest on the same message about the same subject.';
revoke all on function taisce.co_derived(bigint, uuid[], text[], text, taisce.time_scope)
from public;
