-- memory_v1.messages
-- Messages; the offset is read from the observation, whose index is in that order.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.messages
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    m.passage_id,
    m.observation_id,
    m.ordinal,
    m.role,
    m.content,
    m.characters,
    m.occurred_at,
    b.log_offset,
    m.data_subject_id
from here
cross join taisce.message as m
left join taisce.observation as b
    on b.project_id = m.project_id
    and b.observation_id = m.observation_id
where (select h.project_id from here as h) is not null
  and m.project_id = (select h.project_id from here as h)
  and m.retention_until > statement_timestamp();

comment on view memory_v1.messages is
e'What was said or written, word for word.\n'
'Grain: one row a message, or a slice of a long document\n'
'Key: passage_id\n'
'For: reading the words around a quote; what was said when\n'
'Few: project, role\n'
'Beware: content is null once released: then the quotes in claims_history are all that is '
'left';
comment on column memory_v1.messages.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.messages.passage_id is
'Identifier of the message as evidence.';
comment on column memory_v1.messages.observation_id is
'Turn or document the message belongs to.';
comment on column memory_v1.messages.ordinal is
'Place of the message in its observation, from 0.';
comment on column memory_v1.messages.role is
'Role of the writer: user, assistant, system, tool or document.';
comment on column memory_v1.messages.content is
'The text; null once released.';
comment on column memory_v1.messages.characters is
'Length of the text in characters, also after release.';
comment on column memory_v1.messages.occurred_at is
'When it was said; null if unknown; filter here for an index.';
comment on column memory_v1.messages.log_offset is
'Place of the observation in the order of arrival, from 1.';
comment on column memory_v1.messages.data_subject_id is
'Label of the person the memory is about, not a permission; null if none was given.';
revoke all on memory_v1.messages from public;
grant select on memory_v1.messages to taisce_analyst;
