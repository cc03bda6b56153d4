-- memory_v1.segments
-- Segments none of whose turns has expired.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.segments
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    g.segment_id,
    g.data_subject_id,
    g.level,
    g.from_offset,
    g.to_offset,
    g.covered,
    g.summary,
    g.characters,
    g.created_at
from here
cross join taisce.segment as g
where (select h.project_id from here as h) is not null
  and g.project_id = (select h.project_id from here as h)
  and not exists (
    select
    from taisce.observation as b
    where b.project_id = g.project_id
      and b.data_subject_id = g.data_subject_id
      and b.log_offset between g.from_offset and g.to_offset
      and b.retention_until < 'infinity'
      and b.retention_until <= statement_timestamp()
  );

comment on view memory_v1.segments is
e'Summaries of older turns of one data subject, by level of condensing.\n'
'Grain: one row a segment\n'
'Key: segment_id\n'
'For: what went on over a stretch of conversation\n'
'Few: project, level\n'
'Beware: a summary is derived: cite the messages, not the summary';
comment on column memory_v1.segments.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.segments.segment_id is
'Identifier of the segment.';
comment on column memory_v1.segments.data_subject_id is
'Data subject whose turns it condenses.';
comment on column memory_v1.segments.level is
'1 (closest to the turns) to 6.';
comment on column memory_v1.segments.from_offset is
'First offset it covers.';
comment on column memory_v1.segments.to_offset is
'Last offset it covers.';
comment on column memory_v1.segments.covered is
'How many observations it covers.';
comment on column memory_v1.segments.summary is
'The condensed text.';
comment on column memory_v1.segments.characters is
'Its length in characters.';
comment on column memory_v1.segments.created_at is
'When it was registered.';
revoke all on memory_v1.segments from public;
grant select on memory_v1.segments to taisce_analyst;
