-- memory_v1.entities
-- Active entities, each with the name it may be called by now. The few whose canonical name is too
-- long for a B-tree, and those whose canonical name has passed its retention, lie in branches of
-- their own, so that the others are found by name. fact_count reads the versions twice, by either
-- end, and only where it is asked for.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.entities
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    n.entity_id,
    n.canonical_name,
    n.entity_type,
    n.identity_kind,
    case
        when n.profile_source is null or exists (
            select
            from taisce.observation as o
            where o.project_id = n.project_id
              and o.observation_id = n.profile_source
              and o.retention_until > statement_timestamp()
        ) then n.profile
    end as profile,
    n.first_seen_at,
    (
        select count(*)::integer
        from taisce.fact_version as v
        where v.project_id = n.project_id
          and v.subject_entity_id = n.entity_id
          and v.live
          and v.valid_from <= here.horizon
          and v.valid_to > case when v.replaced then here.horizon else statement_timestamp() end
          and v.retention_until > statement_timestamp()
    ) + (
        select count(*)::integer
        from taisce.fact_version as v
        where v.project_id = n.project_id
          and v.object_entity_id = n.entity_id
          and v.subject_entity_id <> n.entity_id
          and v.live
          and v.valid_from <= here.horizon
          and v.valid_to > case when v.replaced then here.horizon else statement_timestamp() end
          and v.retention_until > statement_timestamp()
    ) as fact_count,
    n.speaker_subject_id
from here
cross join (
    select
        e.project_id,
        e.entity_id,
        e.short_name as canonical_name,
        e.entity_type,
        e.identity_kind,
        e.profile,
        e.profile_source,
        e.first_seen_at,
        e.speaker_subject_id,
        e.status
    from taisce.entity as e
    where e.name_until > statement_timestamp()
      and octet_length(e.canonical_name) <= 2600
    union all
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
        e.status
    from taisce.entity as e
    where e.name_until > statement_timestamp()
      and octet_length(e.canonical_name) > 2600
    union all
    select
        e.project_id,
        e.entity_id,
        k.name,
        case when k.name = e.canonical_name then e.entity_type end,
        e.identity_kind,
        e.profile,
        e.profile_source,
        e.first_seen_at,
        e.speaker_subject_id,
        e.status
    from taisce.entity as e
    cross join lateral (
        select taisce.shown_name(e.project_id, e.entity_id, statement_timestamp()) as name
        limit 1
    ) as k
    where e.name_until <= statement_timestamp()
      and e.name_until < 'infinity'
      and k.name is not null
) as n
where (select h.project_id from here as h) is not null
  and n.project_id = (select h.project_id from here as h)
  and n.status = 'active';

comment on view memory_v1.entities is
e'Entities known now, each once, with the name it goes by.\n'
'Grain: one row an entity\n'
'Key: entity_id\n'
'For: finding who or what is meant; counting entities by type\n'
'Few: project, entity_type, identity_kind\n'
'Beware: a merged entity is not here: identity_events tells what it became; names other than '
'the canonical one are in entity_names';
comment on column memory_v1.entities.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.entities.entity_id is
'Identifier of the entity.';
comment on column memory_v1.entities.canonical_name is
'Name the entity goes by; the constant speaker for a subject who speaks as I.';
comment on column memory_v1.entities.entity_type is
'Type the extractor gave, from an open vocabulary; null if none.';
comment on column memory_v1.entities.identity_kind is
'named, or speaker for the entity that stands for a data subject.';
comment on column memory_v1.entities.profile is
'Short description; null if there is none, or if its source is not to be read any more.';
comment on column memory_v1.entities.first_seen_at is
'When the entity was first recorded.';
comment on column memory_v1.entities.fact_count is
'How many current facts name the entity at either end; counted as you ask, so leave it out '
'where it is not needed.';
comment on column memory_v1.entities.speaker_subject_id is
'Data subject a speaker stands for; null for a named entity.';
revoke all on memory_v1.entities from public;
grant select on memory_v1.entities to taisce_analyst;
