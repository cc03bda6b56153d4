-- taisce.load_contradiction(project_id, line)
-- Applies a contradiction line: its facts, and all that contradict one of them, are one group.
-- Returns: {contradictions, repeated}.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_contradiction(project_id bigint, line taisce.load_line)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_fact_ids uuid[];
begin
    v_fact_ids := array(
        select distinct taisce.load_fact_id(
            load_contradiction.project_id, line.line, 'facts[' || f.ordinality - 1 || ']', f.value)
        from jsonb_array_elements(line.body -> 'facts') with ordinality as f
    );
    if cardinality(v_fact_ids) < 2 then
        perform taisce.refuse_line(line.line, 'facts', 'must hold two different facts');
    end if;
    if (
        select count(distinct f.contradiction_group) = 1 and count(*) = count(f.contradiction_group)
        from taisce.fact as f
        where f.project_id = load_contradiction.project_id
          and f.fact_id = any (v_fact_ids)
    ) then
        return '{"contradictions": 0, "repeated": 1}';
    end if;
    perform taisce.join_contradiction(load_contradiction.project_id, v_fact_ids);
    return '{"contradictions": 1, "repeated": 0}';
end
$func$;
comment on function taisce.load_contradiction(bigint, taisce.load_line) is
'Applies a contradiction line: its facts are one group.';
revoke all on function taisce.load_contradiction(bigint, taisce.load_line) from public;
