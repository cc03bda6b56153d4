-- taisce.load_retraction(project_id, line)
-- Applies a retract line, once: the same line met again changes nothing, even if the fact has
-- found new evidence since.
-- Returns: {retracted, repeated}.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_retraction(project_id bigint, line taisce.load_line)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_fact_id uuid := taisce.load_fact_id(
        load_retraction.project_id, line.line, 'fact', line.body -> 'fact');
    v_at timestamptz := line.body ->> 'at';
    v_current timestamptz;
    v_new bigint;
begin
    insert into taisce.load_key (project_id, kind, key, id)
    values (
        load_retraction.project_id, 'retraction',
        encode(sha256(convert_to(jsonb_build_array(
            v_fact_id, v_at, line.body ->> 'reason')::text, 'UTF8')), 'hex'),
        v_fact_id
    )
    on conflict do nothing;
    get diagnostics v_new = row_count;
    select v.known_from
    into v_current
    from taisce.fact_version as v
    where v.project_id = load_retraction.project_id
      and v.fact_id between v_fact_id and v_fact_id
      and v.known_to = 'infinity'
    order by v.fact_id
    limit 1;
    if v_new = 0 or v_current is null then
        return '{"retracted": 0, "repeated": 1}';
    end if;

    if v_at is null then
        v_at := taisce.take_stamp(load_retraction.project_id);
    elsif v_at <= v_current then
        perform taisce.refuse_line(
            line.line, 'at', 'is not later than the version that it ends');
    elsif v_at > pg_catalog.clock_timestamp() + taisce.setting_interval('clock_skew') then
        perform taisce.refuse_line(line.line, 'at', 'lies in the future');
    else
        perform taisce.accept_stamp(load_retraction.project_id, v_at);
    end if;
    perform taisce.retract_versions(
        load_retraction.project_id, v_fact_id, v_at, line.body ->> 'reason');
    return '{"retracted": 1, "repeated": 0}';
end
$func$;
comment on function taisce.load_retraction(bigint, taisce.load_line) is
'Applies a retract line, once.';
revoke all on function taisce.load_retraction(bigint, taisce.load_line) from public;
