-- taisce.shown_cause(project_id, observation_id), taisce.shown_successor(project_id, fact_id)
-- The id of what did something to a fact, as long as it may be read itself: null once the retention
-- of that observation or fact has passed. What it did is taken back by expire().
-- Returns: the id given, or null.   Runs as: invoker.   Since: 0.1

create or replace function taisce.shown_cause(project_id bigint, observation_id uuid)
returns uuid
language sql
stable
parallel safe
as $func$
    select case
        when (
            select true
            from taisce.observation as o
            where o.project_id = shown_cause.project_id
              and o.observation_id
                between shown_cause.observation_id and shown_cause.observation_id
              and o.retention_until <= statement_timestamp()
            order by o.observation_id
            limit 1
        ) is null then shown_cause.observation_id
    end
$func$;
comment on function taisce.shown_cause(bigint, uuid) is
'The id of an observation as long as it may be read.';
revoke all on function taisce.shown_cause(bigint, uuid) from public;

create or replace function taisce.shown_successor(project_id bigint, fact_id uuid)
returns uuid
language sql
stable
parallel safe
as $func$
    select case
        when (
            select true
            from taisce.fact as f
            where f.project_id = shown_successor.project_id
              and f.fact_id between shown_successor.fact_id and shown_successor.fact_id
              and f.retention_until <= statement_timestamp()
            order by f.fact_id
            limit 1
        ) is null then shown_successor.fact_id
    end
$func$;
comment on function taisce.shown_successor(bigint, uuid) is
'The id of a fact as long as it may be read.';
revoke all on function taisce.shown_successor(bigint, uuid) from public;
