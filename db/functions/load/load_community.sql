-- taisce.load_community(project_id, line, now)
-- Applies a community line; met again under its key, it is what the later line says. A report that
-- stands tells about the group as it was: it is withdrawn when, of the entities that were in it and
-- those that are, less than half are in both.
-- Returns: {communities, repeated}.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_community(
    project_id bigint,
    line taisce.load_line,
    now timestamptz
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_community_id uuid;
    v_level integer := coalesce((line.body ->> 'level')::integer, 0);
    v_parent uuid;
    v_members uuid[];
    v_before uuid[];
    v_changes bigint := 0;
    v_rows bigint;
    v_new bigint;
begin
    if line.body ->> 'parent' is not null then
        v_parent := taisce.keyed_id(
            load_community.project_id, 'community', line.body -> 'parent');
        if v_parent is null then
            perform taisce.refuse_line(
                line.line, 'parent', 'is not a community declared before');
        end if;
    end if;
    v_members := array(
        select distinct taisce.load_entity_id(
            load_community.project_id, line.line, 'members[' || m.ordinality - 1 || ']', m.value)
        from jsonb_array_elements(line.body -> 'members') with ordinality as m
    );
    if cardinality(v_members) = 0 then
        perform taisce.refuse_line(line.line, 'members', 'must hold at least one');
    end if;
    v_community_id := coalesce(
        taisce.keyed_id(load_community.project_id, 'community', line.body -> 'key'),
        taisce.make_id('community', load_community.project_id, line.body ->> 'key'));

    v_before := array(
        select m.entity_id
        from taisce.community_member as m
        where m.project_id = load_community.project_id
          and m.community_id = v_community_id
    );
    insert into taisce.community as c (project_id, community_id, level, parent_id, created_at)
    values (
        load_community.project_id, v_community_id, v_level, v_parent, load_community.now
    )
    on conflict on constraint community_pkey do update
    set level = excluded.level,
        parent_id = excluded.parent_id
    where c.level <> excluded.level
       or c.parent_id is distinct from excluded.parent_id;
    get diagnostics v_changes = row_count;
    insert into taisce.load_key (project_id, kind, key, id)
    values (load_community.project_id, 'community', line.body ->> 'key', v_community_id)
    on conflict do nothing;
    get diagnostics v_new = row_count;

    delete from taisce.community_member as m
    where m.project_id = load_community.project_id
      and m.community_id = v_community_id
      and m.entity_id <> all (v_members);
    get diagnostics v_rows = row_count;
    v_changes := v_changes + v_rows;
    insert into taisce.community_member (project_id, community_id, entity_id)
    select load_community.project_id, v_community_id, m
    from unnest(v_members) as m
    on conflict do nothing;
    get diagnostics v_rows = row_count;
    v_changes := v_changes + v_rows;
    if v_changes > 0 and cardinality(v_before) > 0 and 3 * (
        select count(*) from unnest(v_before) as b where b = any (v_members)
    ) < cardinality(v_before) + cardinality(v_members) then
        update taisce.report as r
        set withdrawn_at = load_community.now,
            withdrawn_cause = 'replaced'
        where r.project_id = load_community.project_id
          and r.community_id = v_community_id
          and r.withdrawn_at is null;
    end if;
    return jsonb_build_object('communities', v_new, 'repeated', (v_changes = 0)::integer);
end
$func$;
comment on function taisce.load_community(bigint, taisce.load_line, timestamptz) is
'Applies a community line.';
revoke all on function taisce.load_community(bigint, taisce.load_line, timestamptz) from public;
