-- memory_v1.communities
-- Communities with their members.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.communities
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    g.community_id,
    g.level,
    g.parent_id,
    m.members as member_count,
    m.ids as member_ids,
    g.created_at,
    k.key
from here
cross join taisce.community as g
cross join lateral (
    select
        count(*)::integer as members,
        coalesce(array_agg(c.entity_id order by c.entity_id), '{}') as ids
    from taisce.community_member as c
    left join taisce.entity as e
        on e.project_id = c.project_id
        and e.entity_id = c.entity_id
        and e.name_until <= statement_timestamp()
    where c.project_id = g.project_id
      and c.community_id = g.community_id
      and (e.entity_id is null
        or taisce.shown_name(e.project_id, e.entity_id, statement_timestamp()) is not null)
) as m
left join lateral (
    select l.key
    from taisce.load_key as l
    where l.project_id = g.project_id
      and l.id = g.community_id
      and l.kind = 'community'
    order by l.key
    limit 1
) as k on true
where (select h.project_id from here as h) is not null
  and g.project_id = (select h.project_id from here as h);

comment on view memory_v1.communities is
e'Groups of entities that belong together, by level.\n'
'Grain: one row a community\n'
'Key: community_id\n'
'For: the larger shape of the graph; community_reports tells about each\n'
'Few: project, level';
comment on column memory_v1.communities.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.communities.community_id is
'Identifier of the community.';
comment on column memory_v1.communities.level is
'Step of the hierarchy, as whoever registered it counts; 0 is the widest in taisce-pg communities.';
comment on column memory_v1.communities.parent_id is
'Community one level up; null if none.';
comment on column memory_v1.communities.member_count is
'How many entities it has.';
comment on column memory_v1.communities.member_ids is
'Its entities, in ascending order.';
comment on column memory_v1.communities.created_at is
'When it was registered.';
comment on column memory_v1.communities.key is
'What it was registered under; null if it came from elsewhere.';
revoke all on memory_v1.communities from public;
grant select on memory_v1.communities to taisce_analyst;
