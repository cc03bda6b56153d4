-- memory_v1.entity_names
-- Names by which entities are found. The few too long for a B-tree lie in a branch of their own.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.entity_names
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    n.entity_id,
    n.spelling,
    n.normalized_name,
    n.kind
from here
cross join (
    select i.*
    from taisce.entity_name as i
    where octet_length(i.normalized_name) <= 1024
    union all
    select i.*
    from taisce.entity_name as i
    where octet_length(i.normalized_name) > 1024
) as n
where (select h.project_id from here as h) is not null
  and n.project_id = (select h.project_id from here as h)
  and case
    when n.kept_until > statement_timestamp() then true
    else taisce.name_is_kept(
        n.project_id, n.entity_id, n.normalized_name, statement_timestamp())
  end;

comment on view memory_v1.entity_names is
e'Spellings that lead to an entity: its canonical name and its declared aliases.\n'
'Grain: one row a name of an entity\n'
'Key: entity_id, normalized_name\n'
'For: which names an entity has; whether a name is ambiguous\n'
'Few: project, kind\n'
'Beware: names are matched exactly once normalised: nothing fuzzy, and an alias may lead to '
'several entities';
comment on column memory_v1.entity_names.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.entity_names.entity_id is
'Entity the name leads to.';
comment on column memory_v1.entity_names.spelling is
'The name as it was written.';
comment on column memory_v1.entity_names.normalized_name is
'The name as it is matched: lower case, one space between words; compare with = for an index.';
comment on column memory_v1.entity_names.kind is
'canonical or alias.';
revoke all on memory_v1.entity_names from public;
grant select on memory_v1.entity_names to taisce_analyst;
