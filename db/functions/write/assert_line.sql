-- taisce.assert_line(project_id, body)
-- Asserts the fact that a line of the load format without a key tells. The clock must be held.
-- Returns: the fact.   Raises: TS004, TS005, TS006 naming the argument.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.assert_line(project_id bigint, body jsonb)
returns uuid
language plpgsql
volatile
as $func$
declare
    -- A key for the time of the call tells which fact it was.
    v_key constant text := gen_random_uuid()::text;
    v_fact_id uuid;
begin
    perform taisce.write_line(
        assert_line.project_id, assert_line.body || jsonb_build_object('key', v_key));
    delete from taisce.load_key as k
    where k.project_id = assert_line.project_id
      and k.kind = 'fact'
      and k.key = v_key
    returning k.id into strict v_fact_id;
    return v_fact_id;
end
$func$;
comment on function taisce.assert_line(bigint, jsonb) is
'Asserts the fact that a line of the load format tells.';
revoke all on function taisce.assert_line(bigint, jsonb) from public;
