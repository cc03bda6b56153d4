-- memory_v1.project_freshness
-- Freshness from one row.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.project_freshness
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    k.stored,
    nullif(k.formed, 0) as formed,
    k.parked,
    nullif(k.last_stamp, '-infinity') as known_through,
    r.from_offset as rebuilding_from,
    r.to_offset as rebuilding_to,
    r.at_offset as rebuilding_at,
    statement_timestamp() as read_at
from here
cross join taisce.project_clock as k
left join taisce.rebuild as r
    on r.project_id = k.project_id
    and r.ended_at is null
where (select h.project_id from here as h) is not null
  and k.project_id = (select h.project_id from here as h);

comment on view memory_v1.project_freshness is
e'How far the memory has come: what is stored, what is formed into facts, what is believed '
'through when.\n'
'Grain: one row\n'
'Key: project\n'
'For: whether an answer may be missing something that was taken in lately\n'
'Few: project\n'
'Beware: facts of observations above formed may not be there yet';
comment on column memory_v1.project_freshness.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.project_freshness.stored is
'Highest offset taken in.';
comment on column memory_v1.project_freshness.formed is
'Highest offset up to which all is formed or parked; null if none.';
comment on column memory_v1.project_freshness.parked is
'How many observations were set aside.';
comment on column memory_v1.project_freshness.known_through is
'Last committed stamp of knowledge; what is read as known up to it does not change later; '
'null if there is none.';
comment on column memory_v1.project_freshness.rebuilding_from is
'First offset being formed again; null if none is.';
comment on column memory_v1.project_freshness.rebuilding_to is
'Last offset being formed again; null if none is.';
comment on column memory_v1.project_freshness.rebuilding_at is
'How far that has come; null if none is.';
comment on column memory_v1.project_freshness.read_at is
'The instant of reading.';
revoke all on memory_v1.project_freshness from public;
grant select on memory_v1.project_freshness to taisce_analyst;
