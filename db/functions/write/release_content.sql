-- requires: write/erased_rows.sql
-- memory_v1.release_content(observation_id, dry_run, project)
-- Drops the text of an observation's messages with its words and vectors; claims, quotes and facts
-- stay, and a quote is shown without what stood around it. Releasing twice changes nothing.
-- dry_run: count only.
-- Returns: rows by table.   Raises: TS003, TS004.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.release_content(
    observation_id uuid,
    dry_run boolean default false,
    project text default null
)
returns setof memory_v1.erased_rows
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_admin(release_content.project);
    v_said taisce.observation
        := taisce.known_observation(v_project_id, release_content.observation_id);
    v_passages uuid[];
    v_counts jsonb;
begin
    v_passages := array(
        select m.passage_id
        from taisce.message as m
        where m.project_id = v_project_id
          and m.observation_id = v_said.observation_id
          and m.content is not null
    );
    v_counts := taisce.count_words(v_project_id, v_passages, '{}', '{}') || jsonb_build_object(
        'message', cardinality(v_passages),
        'observation', (v_said.released_at is null)::integer,
        'embedding', (
            select count(*)
            from taisce.embedding as e
            where e.project_id = v_project_id
              and e.item_id = any (v_passages)
        ));
    if not coalesce(release_content.dry_run, false) then
        update taisce.message as m
        set content = null
        where m.project_id = v_project_id
          and m.passage_id = any (v_passages);
        delete from taisce.embedding as e
        where e.project_id = v_project_id
          and e.item_id = any (v_passages);
        update taisce.observation as o
        set released_at = pg_catalog.clock_timestamp()
        where o.project_id = v_project_id
          and o.observation_id = v_said.observation_id
          and o.released_at is null;
    end if;
    return query select r.* from taisce.erased_rows(v_counts) as r;
end
$func$;
comment on function memory_v1.release_content(uuid, boolean, text) is
'Drop the text of an observation and keep its claims and quotes; dry_run counts only.';
revoke all on function memory_v1.release_content(uuid, boolean, text) from public;
grant execute on function memory_v1.release_content(uuid, boolean, text) to taisce_admin;
