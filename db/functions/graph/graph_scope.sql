-- requires: operations/check_operation.sql
-- taisce.check_graph(predicates, valid_at, believed_at), taisce.graph_scope(project_id, valid_at,
--     believed_at)
-- The arguments that graph helpers share: predicates, and both clocks or neither.
-- Returns: the instants that versions are compared with.   Raises: TS005.   Runs as: invoker.
-- Since: 0.1

create or replace function taisce.check_graph(
    predicates text[],
    valid_at timestamptz,
    believed_at timestamptz
)
returns void
language plpgsql
immutable
parallel safe
as $func$
declare
    v_detail text;
begin
    if (check_graph.valid_at is null) <> (check_graph.believed_at is null) then
        v_detail := 'valid_at and believed_at must be given together';
    elsif not isfinite(check_graph.valid_at) or not isfinite(check_graph.believed_at) then
        v_detail := 'valid_at and believed_at must be finite instants';
    elsif check_graph.predicates is not null and (
        cardinality(check_graph.predicates) not between 1 and 100
        or array_ndims(check_graph.predicates) <> 1
        or array_position(check_graph.predicates, null) is not null
        or cardinality(check_graph.predicates)
            <> (select count(distinct p.predicate) from unnest(check_graph.predicates)
                as p (predicate))
    ) then
        v_detail := 'predicates must be 1 to 100 distinct predicates without nulls';
    end if;
    if v_detail is not null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = v_detail,
            hint = 'Leave them out for what holds now, of every predicate.';
    end if;
end
$func$;
comment on function taisce.check_graph(text[], timestamptz, timestamptz) is
'Refuses predicates or clocks of a graph helper that are out of range with TS005.';
revoke all on function taisce.check_graph(text[], timestamptz, timestamptz) from public;

create or replace function taisce.graph_ends(project_id bigint, entity_ids uuid[])
returns uuid[]
language plpgsql
stable
parallel safe
as $func$
declare
    v_found record;
begin
    if array_position(graph_ends.entity_ids, null) is not null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'an entity id is missing',
            hint = 'Find ids with resolve_entity(name).';
    end if;
    select e.* into v_found
    from taisce.scope_entities(graph_ends.project_id, graph_ends.entity_ids) as e;
    if v_found.ids is null then
        perform taisce.not_found();
    end if;
    return v_found.ids;
end
$func$;
comment on function taisce.graph_ends(bigint, uuid[]) is
'Entities by id, led to their survivors; TS004 if any leads nowhere.';
revoke all on function taisce.graph_ends(bigint, uuid[]) from public;
