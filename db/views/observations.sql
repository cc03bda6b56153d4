-- memory_v1.observations
-- Observations, without the tombstones of erased ones.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.observations
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    b.observation_id,
    b.log_offset,
    b.kind,
    b.source_role,
    b.data_subject_id,
    b.occurred_at,
    b.ingested_at,
    b.lineage,
    b.title,
    b.source_kind,
    b.source_ref,
    b.formed_at,
    b.parked_at,
    b.message_count
from here
cross join taisce.observation as b
where (select h.project_id from here as h) is not null
  and b.project_id = (select h.project_id from here as h)
  and not b.erased
  and b.retention_until > statement_timestamp();

comment on view memory_v1.observations is
e'What was taken in: conversation turns, documents and curated texts.\n'
'Grain: one row an observation\n'
'Key: observation_id\n'
'For: where a message came from; what has been taken in but not yet formed into facts\n'
'Few: project, kind, source_role, source_kind\n'
'Beware: an erased observation is not here, so log_offset may have gaps';
comment on column memory_v1.observations.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.observations.observation_id is
'Identifier of the observation.';
comment on column memory_v1.observations.log_offset is
'Place in the order of arrival, from 1.';
comment on column memory_v1.observations.kind is
'turn, document or curated (a text that an administrator wrote).';
comment on column memory_v1.observations.source_role is
'Role of its first message.';
comment on column memory_v1.observations.data_subject_id is
'Label of the person the memory is about, not a permission; null if none was given.';
comment on column memory_v1.observations.occurred_at is
'When it happened; null if unknown.';
comment on column memory_v1.observations.ingested_at is
'When it was taken in.';
comment on column memory_v1.observations.lineage is
'Document lineage: versions and copies of one source share it; by default the observation '
'itself.';
comment on column memory_v1.observations.title is
'Title; null if none.';
comment on column memory_v1.observations.source_kind is
'Kind of source, from an open vocabulary; null if none.';
comment on column memory_v1.observations.source_ref is
'Where it came from, in the words of the loader; null if not given.';
comment on column memory_v1.observations.formed_at is
'When facts had been formed from it; null while it waits.';
comment on column memory_v1.observations.parked_at is
'When it was set aside as not to be formed; null if it was not.';
comment on column memory_v1.observations.message_count is
'How many messages it has.';
revoke all on memory_v1.observations from public;
grant select on memory_v1.observations to taisce_analyst;
