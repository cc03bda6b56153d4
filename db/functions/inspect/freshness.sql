-- memory_v1.freshness(project)
-- How far a project has come: stored (highest offset), formed (highest offset below which all is
-- formed or parked, null until the first), parked, rebuilding (null or offsets), known_through
-- (last stamp of knowledge), read_at, and for each active vector space how far its vectors reach.
-- Counted when written, so that reading costs the same for any size.
-- Returns: one jsonb, contract freshness/v1.   Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.freshness(project text default null)
returns jsonb
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_project_id bigint;
begin
    v_project_id := taisce.resolve_project(freshness.project, 'read');
    return jsonb_build_object('contract', 'freshness/v1')
        || taisce.freshness_of(v_project_id)
        || jsonb_build_object(
            'spaces', (
                select coalesce(
                    jsonb_agg(
                        jsonb_build_object(
                            'space', g.space,
                            'model', g.model,
                            'revision', g.revision,
                            'through_offset', g.through_offset,
                            'covered_through_offset', g.covered_through_offset
                        )
                        order by g.space, g.model),
                    '[]')
                from taisce.embedding_generation as g
                where g.project_id = v_project_id
                  and g.state = 'active'
            )
        );
end
$func$;
comment on function memory_v1.freshness(text) is
'How far a project has come: offsets stored and formed, last stamp of knowledge, vectors.';
revoke all on function memory_v1.freshness(text) from public;
grant execute on function memory_v1.freshness(text) to taisce_reader, taisce_analyst, taisce_writer;
