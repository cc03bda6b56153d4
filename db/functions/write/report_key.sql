-- taisce.report_key(community_id, title, summary, importance, fact_ids, observation_ids)
-- The id of a report follows from what it says and rests on. The community stands for the project
-- too, so that reports of a restored one are found again. Ids are in order, each once.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.report_key(
    community_id uuid,
    title text,
    summary text,
    importance double precision,
    fact_ids uuid[],
    observation_ids uuid[]
)
returns uuid
language sql
stable
parallel safe
as $func$
    select taisce.make_id('report', 0, pg_catalog.jsonb_build_array(
        report_key.community_id, report_key.title, report_key.summary, report_key.importance,
        report_key.fact_ids, report_key.observation_ids)::text)
$func$;
comment on function taisce.report_key(uuid, text, text, double precision, uuid[], uuid[]) is
'The id of a report, from what it says and rests on.';
revoke all on function taisce.report_key(uuid, text, text, double precision, uuid[], uuid[])
from public;
