-- taisce.why_silent(project_id, entity_ids, roles, subject, scope, walked)
-- The first stage after which nothing was left of the facts of these anchors. Each question is one
-- index probe an anchor.
-- Returns: no_facts, subject, role, time or evidence.   Runs as: invoker.   Since: 0.1

create or replace function taisce.why_silent(
    project_id bigint,
    entity_ids uuid[],
    roles text[],
    subject text,
    scope taisce.time_scope,
    reached boolean
)
returns text
language plpgsql
stable
parallel safe
as $func$
declare
    v_read_at constant timestamptz := why_silent.scope.read_at;
begin
    if why_silent.reached then
        return 'evidence';
    end if;
    if not exists (
        select
        from unnest(why_silent.entity_ids) as a (entity_id)
        cross join lateral (
            (
                select
                from taisce.fact_version as v
                where v.project_id = why_silent.project_id
                  and v.subject_entity_id = a.entity_id
                  and v.retention_until > v_read_at
                limit 1
            )
            union all
            (
                select
                from taisce.fact_version as v
                where v.project_id = why_silent.project_id
                  and v.object_entity_id = a.entity_id
                  and v.retention_until > v_read_at
                limit 1
            )
        ) as f
    ) then
        return 'no_facts';
    end if;
    if why_silent.subject is not null and not exists (
        select
        from unnest(why_silent.entity_ids) as a (entity_id)
        cross join lateral (
            (
                select
                from taisce.fact_version as v
                where v.project_id = why_silent.project_id
                  and v.subject_entity_id = a.entity_id
                  and v.data_subject_id = why_silent.subject
                  and v.retention_until > v_read_at
                limit 1
            )
            union all
            (
                select
                from taisce.fact_version as v
                where v.project_id = why_silent.project_id
                  and v.object_entity_id = a.entity_id
                  and v.data_subject_id = why_silent.subject
                  and v.retention_until > v_read_at
                limit 1
            )
        ) as f
    ) then
        return 'subject';
    end if;
    if not exists (
        select
        from unnest(why_silent.entity_ids) as a (entity_id)
        cross join unnest(why_silent.roles) as r (source_role)
        cross join lateral (
            (
                select
                from taisce.fact_version as v
                where v.project_id = why_silent.project_id
                  and v.subject_entity_id = a.entity_id
                  and v.source_role = r.source_role
                  and (why_silent.subject is null or v.data_subject_id = why_silent.subject)
                  and v.retention_until > v_read_at
                limit 1
            )
            union all
            (
                select
                from taisce.fact_version as v
                where v.project_id = why_silent.project_id
                  and v.object_entity_id = a.entity_id
                  and v.source_role = r.source_role
                  and (why_silent.subject is null or v.data_subject_id = why_silent.subject)
                  and v.retention_until > v_read_at
                limit 1
            )
        ) as f
    ) then
        return 'role';
    end if;
    return 'time';
end
$func$;
comment on function taisce.why_silent(
    bigint, uuid[], text[], text, taisce.time_scope, boolean
) is 'The first stage after which nothing was left of the facts of these anchors.';
revoke all on function taisce.why_silent(
    bigint, uuid[], text[], text, taisce.time_scope, boolean
) from public;
