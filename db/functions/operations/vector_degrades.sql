-- requires: vectors/fuse_candidates.sql
-- taisce.vector_degrades(project_id, spaces, asked)
-- What it means that a query brought a vector: nothing without one; a vector of another model than
-- those of the active generations is refused; one that no generation can use is said.
-- Returns: {} or {vectors}.   Raises: TS005 for zeros, TS011.   Runs as: invoker.   Since: 0.1

create or replace function taisce.vector_degrades(
    project_id bigint,
    spaces text[],
    asked taisce.asked_vector
)
returns text[]
language plpgsql
stable
parallel safe
as $func$
declare
    v_space text;
    v_usable boolean := false;
begin
    if (asked).embedding is null then
        return '{}';
    end if;
    perform taisce.check_length((asked).embedding);
    foreach v_space in array vector_degrades.spaces loop
        v_usable := v_usable or (taisce.asked_generation(
            vector_degrades.project_id, v_space, vector_degrades.asked)).generation_id is not null;
    end loop;
    return case when v_usable then '{}' else array['vectors'] end;
end
$func$;
comment on function taisce.vector_degrades(bigint, text[], taisce.asked_vector) is
'What it means that a query brought a vector; TS011 if it is of another model.';
revoke all on function taisce.vector_degrades(bigint, text[], taisce.asked_vector) from public;
