-- taisce.is_believed(project_id, fact_id)
-- Whether a fact is believed now, as the last write left it.
-- Returns: true or false.   Runs as: invoker.   Since: 0.1

create or replace function taisce.is_believed(project_id bigint, fact_id uuid)
returns boolean
language plpgsql
volatile
as $func$
begin
    return (
        select true
        from taisce.fact_version as v
        where v.project_id = is_believed.project_id
          and v.fact_id between is_believed.fact_id and is_believed.fact_id
          and v.known_to = 'infinity'
        order by v.fact_id, v.known_from
        limit 1
    ) is not null;
end
$func$;
comment on function taisce.is_believed(bigint, uuid) is 'Whether a fact is believed now.';
revoke all on function taisce.is_believed(bigint, uuid) from public;
