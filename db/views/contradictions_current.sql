-- memory_v1.contradictions_current
-- Reads facts twice: a side is shown only while another side is current too.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.contradictions_current
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    f.contradiction_group,
    f.fact_id,
    f.kind as fact_kind,
    f.subject_entity_id as subject_id,
    s.short_name as subject,
    f.predicate collate "default" as predicate,
    f.object_entity_id as object_id,
    o.short_name as object,
    f.object_value as value,
    f.statement,
    f.source_role,
    f.data_subject_id,
    nullif(v.valid_from, '-infinity') as valid_from,
    nullif(v.valid_to, 'infinity') as valid_until,
    v.known_from,
    f.support,
    f.recorded_at,
    statement_timestamp() as evaluated_at
from here
cross join taisce.fact as f
join taisce.fact_version as v
    on v.project_id = f.project_id
    and v.fact_id = f.fact_id
left join taisce.entity as s
    on s.project_id = f.project_id
    and s.entity_id = f.subject_entity_id
    and s.name_until > statement_timestamp()
left join taisce.entity as o
    on o.project_id = f.project_id
    and o.entity_id = f.object_entity_id
    and o.name_until > statement_timestamp()
where (select h.project_id from here as h) is not null
  and f.project_id = (select h.project_id from here as h)
  and f.contradiction_group is not null
  and v.live
  and v.known_to = 'infinity'
  and v.valid_from <= here.horizon
  and v.valid_to > case when v.replaced then here.horizon else statement_timestamp() end
  and v.retention_until > statement_timestamp()
  and exists (
    select
    from taisce.fact as g
    join taisce.fact_version as w
        on w.project_id = g.project_id
        and w.fact_id = g.fact_id
    where g.project_id = f.project_id
      and g.contradiction_group = f.contradiction_group
      and g.fact_id <> f.fact_id
      and w.live
      and w.known_to = 'infinity'
      and w.valid_from <= here.horizon
      and w.valid_to > case when w.replaced then here.horizon else statement_timestamp() end
      and w.retention_until > statement_timestamp()
  );

comment on view memory_v1.contradictions_current is
e'Current facts that cannot all be true, grouped; a group has at least two of them.\n'
'Grain: one row a current fact of a contradiction\n'
'Key: fact_id\n'
'For: what is disputed now; show the sides of a group together\n'
'Few: project, fact_kind, predicate, source_role, support\n'
'Beware: which side is right is not decided here: never average, never pick by count';
comment on column memory_v1.contradictions_current.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.contradictions_current.contradiction_group is
'Facts with the same value here cannot all be true and are shown together; null if '
'undisputed.';
comment on column memory_v1.contradictions_current.fact_id is
'Identifier of the fact; ascending order is the order in which facts were told.';
comment on column memory_v1.contradictions_current.fact_kind is
'relation (two entities) or attribute (an entity and a value or a bare statement).';
comment on column memory_v1.contradictions_current.subject_id is
'Entity the fact is about.';
comment on column memory_v1.contradictions_current.subject is
'Canonical name of that entity, cut if over 2,600 bytes; null once the retention of its source '
'has passed.';
comment on column memory_v1.contradictions_current.predicate is
'What is said of the subject, from an open vocabulary; null for a bare statement.';
comment on column memory_v1.contradictions_current.object_id is
'Entity at the other end; null for an attribute.';
comment on column memory_v1.contradictions_current.object is
'Canonical name of the entity at the other end, cut like subject; null for an attribute, and once '
'the retention of its source has passed.';
comment on column memory_v1.contradictions_current.value is
'Value of an attribute, as text; null for a relation or a bare statement.';
comment on column memory_v1.contradictions_current.statement is
'The fact in words, as it was recorded.';
comment on column memory_v1.contradictions_current.source_role is
'Role of the messages behind the fact: user, assistant, system, tool or document.';
comment on column memory_v1.contradictions_current.data_subject_id is
'Label of the person the memory is about, not a permission; null if none was given.';
comment on column memory_v1.contradictions_current.valid_from is
'When it began to hold in the world, inclusive; null if open; filter here for an index.';
comment on column memory_v1.contradictions_current.valid_until is
'When it ceased to hold in the world, exclusive; null if open.';
comment on column memory_v1.contradictions_current.known_from is
'When this memory began to believe this version, inclusive; filter here for an index.';
comment on column memory_v1.contradictions_current.support is
'current, or withdrawn if the sources behind the fact no longer say so.';
comment on column memory_v1.contradictions_current.recorded_at is
'When the fact was first recorded.';
comment on column memory_v1.contradictions_current.evaluated_at is
'The instant at which the view decided what is current: the start of the statement.';
revoke all on memory_v1.contradictions_current from public;
grant select on memory_v1.contradictions_current to taisce_analyst;
