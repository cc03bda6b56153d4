-- requires: names/known_as.sql
-- taisce.named_entity
-- Entities as the view of them shows them, each with the name it may be called by now. The few
-- whose canonical name has passed its retention lie in a branch of their own, so that the others
-- are found by name.
-- Runs as: owner of the view that reads it.   Since: 0.1

create or replace view taisce.named_entity as
select
    e.project_id,
    e.entity_id,
    e.canonical_name,
    e.entity_type,
    e.identity_kind,
    e.profile,
    e.profile_source,
    e.first_seen_at,
    e.speaker_subject_id,
    e.status,
    true as is_kept
from taisce.entity as e
where e.name_until > statement_timestamp()
union all
select
    e.project_id,
    e.entity_id,
    coalesce(n.name, '(erased)'),
    case when n.name = e.canonical_name then e.entity_type end,
    e.identity_kind,
    e.profile,
    e.profile_source,
    e.first_seen_at,
    e.speaker_subject_id,
    e.status,
    n.name is not null
from taisce.entity as e
cross join lateral (
    select taisce.shown_name(e.project_id, e.entity_id, statement_timestamp()) as name
    limit 1
) as n
where e.name_until <= statement_timestamp()
  and e.name_until < 'infinity';
comment on view taisce.named_entity is
'Entities with the name each may be called by now; is_kept is false where none may be read.';
revoke all on taisce.named_entity from public;
