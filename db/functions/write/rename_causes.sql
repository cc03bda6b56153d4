-- taisce.rename_causes(project_id, observation_ids)
-- What erased observations caused, and others bear out, is caused by the first of those.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.rename_causes(project_id bigint, observation_ids uuid[])
returns void
language plpgsql
volatile
as $func$
begin
    update taisce.fact_version as v
    set caused_by = case
            when v.cause = 'superseded' then (
                select taisce.first_support(rename_causes.project_id, n.fact_id)
                from taisce.fact_version as n
                where n.project_id = rename_causes.project_id
                  and n.known_from = v.known_from
                  and n.valid_from = v.valid_to
                  and n.fact_id <> v.fact_id
                limit 1
            )
            else taisce.first_support(rename_causes.project_id, v.fact_id)
        end
    where v.project_id = rename_causes.project_id
      and v.caused_by = any (rename_causes.observation_ids);
    update taisce.fact_version as v
    set closed_by = (
        select n.caused_by
        from taisce.fact_version as n
        where n.project_id = rename_causes.project_id
          and n.known_from = v.known_to
          and (v.closed_cause = 'superseded') = (n.fact_id = v.fact_id)
        order by n.subject_entity_id = v.subject_entity_id desc
        limit 1
    )
    where v.project_id = rename_causes.project_id
      and v.closed_by = any (rename_causes.observation_ids);
    update taisce.fact as f
    set supersession_source =
        taisce.first_support(rename_causes.project_id, f.superseded_by)
    where f.project_id = rename_causes.project_id
      and f.supersession_source = any (rename_causes.observation_ids);
end
$func$;
comment on function taisce.rename_causes(bigint, uuid[]) is
'What erased observations caused, and others bear out, is caused by the first of those.';
revoke all on function taisce.rename_causes(bigint, uuid[]) from public;
