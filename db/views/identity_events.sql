-- memory_v1.identity_events
-- Merges are read twice, for the two events they may hold.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.identity_events
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    g.merged_at as event_at,
    'merged' as event,
    g.merge_id,
    g.absorbed as absorbed_id,
    a.canonical_name as absorbed,
    g.survivor as survivor_id,
    t.canonical_name as survivor,
    g.merged_by as done_by
from here
cross join taisce.entity_merge as g
left join taisce.entity as a
    on a.project_id = g.project_id
    and a.entity_id = g.absorbed
    and a.name_until > statement_timestamp()
left join taisce.entity as t
    on t.project_id = g.project_id
    and t.entity_id = g.survivor
    and t.name_until > statement_timestamp()
where (select h.project_id from here as h) is not null
  and g.project_id = (select h.project_id from here as h)
union all
select
    here.project,
    g.reversed_at as event_at,
    'unmerged' as event,
    g.merge_id,
    g.absorbed as absorbed_id,
    a.canonical_name as absorbed,
    g.survivor as survivor_id,
    t.canonical_name as survivor,
    g.reversed_by as done_by
from here
cross join taisce.entity_merge as g
left join taisce.entity as a
    on a.project_id = g.project_id
    and a.entity_id = g.absorbed
    and a.name_until > statement_timestamp()
left join taisce.entity as t
    on t.project_id = g.project_id
    and t.entity_id = g.survivor
    and t.name_until > statement_timestamp()
where (select h.project_id from here as h) is not null
  and g.project_id = (select h.project_id from here as h)
  and g.reversed_at is not null;

comment on view memory_v1.identity_events is
e'Merges of two entities into one, and merges that were undone.\n'
'Grain: one row a merge, one more when it was undone\n'
'Key: merge_id, event\n'
'For: what became of an entity id; who decided that two were one\n'
'Few: project, event\n'
'Beware: past reads show today''s identities: a merge is not rebuilt';
comment on column memory_v1.identity_events.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.identity_events.event_at is
'When it happened.';
comment on column memory_v1.identity_events.event is
'merged or unmerged.';
comment on column memory_v1.identity_events.merge_id is
'Identifier of the merge.';
comment on column memory_v1.identity_events.absorbed_id is
'Entity that was taken up by the other.';
comment on column memory_v1.identity_events.absorbed is
'Its canonical name.';
comment on column memory_v1.identity_events.survivor_id is
'Entity that stayed.';
comment on column memory_v1.identity_events.survivor is
'Its canonical name.';
comment on column memory_v1.identity_events.done_by is
'Role that did it.';
revoke all on memory_v1.identity_events from public;
grant select on memory_v1.identity_events to taisce_analyst;
