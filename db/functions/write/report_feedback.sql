-- memory_v1.report_feedback(fact_id, bundle, kind, note, project)
-- Keeps what a reader thinks of a fact, or of a whole answer, for whoever tends the memory; nothing
-- is believed or doubted because of it. kind: helpful, wrong, outdated, missing, harmful or other.
-- bundle: an answer of recall, of which only the ids of its facts are kept.
-- Returns: one row.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.reported_feedback') is null then
        create type memory_v1.reported_feedback as (feedback_id uuid, reported_at timestamptz);
    end if;
end
$do$;
comment on type memory_v1.reported_feedback is
'Feedback that was kept.';

create or replace function memory_v1.report_feedback(
    fact_id uuid default null,
    bundle jsonb default null,
    kind text default 'other',
    note text default null,
    project text default null
)
returns setof memory_v1.reported_feedback
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.resolve_project(report_feedback.project, 'read');
    v_fact_ids jsonb;
    v_feedback memory_v1.reported_feedback;
begin
    if report_feedback.kind is null or report_feedback.kind
        not in ('helpful', 'wrong', 'outdated', 'missing', 'harmful', 'other')
    then
        perform taisce.refuse_argument('kind',
            'must be one of helpful, wrong, outdated, missing, harmful, other');
    end if;
    if report_feedback.note is not null then
        perform taisce.check_text('note', 'words', report_feedback.note);
    end if;
    if (report_feedback.fact_id is null) = (report_feedback.bundle is null) then
        perform taisce.refuse_argument('fact_id', 'give a fact or a bundle, not both');
    elsif report_feedback.fact_id is not null then
        perform taisce.known_fact(v_project_id, report_feedback.fact_id);
    elsif jsonb_typeof(report_feedback.bundle -> 'facts') is distinct from 'array' then
        perform taisce.refuse_argument('bundle', 'must be an answer of recall');
    else
        -- Words in a stored answer would outlive their erasure.
        select jsonb_build_object('facts', coalesce(jsonb_agg(f.fact_id order by i.place), '[]'))
        into v_fact_ids
        from jsonb_array_elements(report_feedback.bundle -> 'facts')
            with ordinality as i (body, place)
        join taisce.fact as f
            on f.project_id = v_project_id
            and f.fact_id = case
                when i.body ->> 'fact_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                    then (i.body ->> 'fact_id')::uuid
            end
        where i.place <= 200;
    end if;

    insert into taisce.feedback (
        project_id, feedback_id, fact_id, bundle, kind, note, reported_by, reported_at
    )
    values (
        v_project_id, gen_random_uuid(), report_feedback.fact_id, v_fact_ids,
        report_feedback.kind, report_feedback.note, taisce.caller(),
        pg_catalog.clock_timestamp()
    )
    returning feedback.feedback_id, feedback.reported_at into v_feedback;
    return next v_feedback;
end
$func$;
comment on function memory_v1.report_feedback(uuid, jsonb, text, text, text) is
'Keep what a reader thinks of a fact or of an answer; nothing is believed because of it.';
revoke all on function memory_v1.report_feedback(uuid, jsonb, text, text, text) from public;
grant execute on function memory_v1.report_feedback(uuid, jsonb, text, text, text)
to taisce_reader, taisce_analyst, taisce_writer;
