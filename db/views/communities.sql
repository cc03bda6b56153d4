-- memory_v1.communities
-- Communities with their members.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.communities
with (security_barrier = true) as
select
    here.project,
    g.community_id,
    g.level,
    g.parent_id,
    m.members as member_count,
    m.ids as member_ids,
    g.created_at
from taisce.view_scope() as here
cross join taisce.community as g
cross join lateral (
    select
        count(*)::integer as members,
        coalesce(array_agg(c.entity_id order by c.entity_id), '{}') as ids
    from taisce.community_member as c
    where c.project_id = g.project_id
      and c.community_id = g.community_id
) as m
where g.project_id = (select memory_v1.current_project_id());

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
revoke all on memory_v1.communities from public;
grant select on memory_v1.communities to taisce_analyst;
