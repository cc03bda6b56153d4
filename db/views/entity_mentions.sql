-- memory_v1.entity_mentions
-- Mentions of entities.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.entity_mentions
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    x.entity_id,
    case
        when n.name_until > statement_timestamp() then n.canonical_name
        else taisce.shown_name(n.project_id, n.entity_id, statement_timestamp())
    end as entity,
    x.observation_id,
    x.ordinal,
    m.passage_id,
    x.claim_id,
    m.role,
    x.data_subject_id,
    m.occurred_at
from here
cross join taisce.entity_mention as x
left join taisce.entity as n
    on n.project_id = x.project_id
    and n.entity_id = x.entity_id
left join taisce.message as m
    on m.project_id = x.project_id
    and m.observation_id = x.observation_id
    and m.ordinal = x.ordinal
where (select h.project_id from here as h) is not null
  and x.project_id = (select h.project_id from here as h)
  and x.retention_until > statement_timestamp();

comment on view memory_v1.entity_mentions is
e'Which entities are mentioned in which messages.\n'
'Grain: one row an entity, message and claim\n'
'Key: entity_id, observation_id, ordinal, claim_id\n'
'For: where somebody or something is spoken of, also where no fact came of it\n'
'Few: project, role\n'
'Beware: claim_id may be null: an entity may be mentioned outside any claim';
comment on column memory_v1.entity_mentions.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.entity_mentions.entity_id is
'Entity that is mentioned.';
comment on column memory_v1.entity_mentions.entity is
'Canonical name of the entity.';
comment on column memory_v1.entity_mentions.observation_id is
'Observation it is mentioned in.';
comment on column memory_v1.entity_mentions.ordinal is
'Place of the message in the observation, from 0.';
comment on column memory_v1.entity_mentions.passage_id is
'Message it is mentioned in.';
comment on column memory_v1.entity_mentions.claim_id is
'Claim that mentions it; null if none does.';
comment on column memory_v1.entity_mentions.role is
'Role of the message.';
comment on column memory_v1.entity_mentions.data_subject_id is
'Label of the person the memory is about, not a permission; null if none was given.';
comment on column memory_v1.entity_mentions.occurred_at is
'When the message was said; null if unknown.';
revoke all on memory_v1.entity_mentions from public;
grant select on memory_v1.entity_mentions to taisce_analyst;
