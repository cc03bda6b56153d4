-- taisce.load_fact_id(project_id, line, field, reference)
-- Returns: the fact that a line means.   Raises: TS008 if there is none.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.load_fact_id(
    project_id bigint,
    line integer,
    field text,
    reference jsonb
)
returns uuid
language plpgsql
volatile
as $func$
declare
    v_fact_id uuid := taisce.keyed_id(
        load_fact_id.project_id, 'fact', load_fact_id.reference);
begin
    if v_fact_id is null then
        perform taisce.refuse_line(
            load_fact_id.line, load_fact_id.field, 'is not a fact declared before');
    end if;
    return v_fact_id;
end
$func$;
comment on function taisce.load_fact_id(bigint, integer, text, jsonb) is
'The fact that a line means; TS008 if there is none.';
revoke all on function taisce.load_fact_id(bigint, integer, text, jsonb) from public;
