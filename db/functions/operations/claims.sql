-- requires: operations/operation_types.sql
-- requires: operations/show_claims.sql
-- memory_v1.claims(claim_ids, project)
-- Claims that are kept, by id, with the fields of testimony_context: all roles, whether their
-- source still says so or not.
-- Returns: one row an id (1 to 100), in the order given.
-- Raises: TS003, TS005; TS004 if any id is unknown, erased or expired.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.claims(claim_ids uuid[], project text default null)
returns setof memory_v1.testimony_item
language plpgsql
stable
parallel safe
security definer
cost 1000
rows 10
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_project_id bigint;
    v_known integer;
begin
    perform taisce.check_ids(claims.claim_ids, 'claim_ids', 100);
    v_project_id := taisce.resolve_project(claims.project, 'read');
    select count(*)
    into v_known
    from unnest(claims.claim_ids) as g (claim_id)
    cross join lateral (
        select
        from taisce.claim as c
        where c.project_id = v_project_id
          and c.claim_id between g.claim_id and g.claim_id
          and c.retention_until > statement_timestamp()
        order by c.claim_id
        limit 1
    ) as c;
    if v_known < cardinality(claims.claim_ids) then
        perform taisce.not_found();
    end if;
    return query
    select
        'claim', s.claim_id, s.observation_id, s.ordinal, s.passage_id, s.claim_text, s.quote,
        s.byte_start, s.byte_end, s.context, s.context_start, s.context_complete, s.role,
        s.asserted_at, s.claim_valid_from, s.claim_valid_until, s.claim_valid_precision,
        s.is_current_testimony, s.title, s.source_kind, s.lineage, 1, array[s.claim_id],
        null::text, s.occurred_at, s.log_offset, null::numeric, null::text,
        false, statement_timestamp(), 0, null::text
    from taisce.show_claims(v_project_id, claims.claim_ids) as s
    order by s.place;
end
$func$;
comment on function memory_v1.claims(uuid[], text) is
'Claims that are kept, by id, each with the words around its quote.';
revoke all on function memory_v1.claims(uuid[], text) from public;
grant execute on function memory_v1.claims(uuid[], text) to taisce_reader, taisce_analyst;
