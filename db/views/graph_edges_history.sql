-- memory_v1.graph_edges_history
-- Versions as they are, live or not.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.graph_edges_history
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    v.fact_id,
    v.subject_entity_id as subject_id,
    s.short_name as subject,
    v.predicate collate "default" as predicate,
    v.object_entity_id as object_id,
    o.short_name as object,
    f.statement,
    v.source_role collate "default" as source_role,
    v.data_subject_id collate "default" as data_subject_id,
    f.confidence,
    nullif(v.valid_from, '-infinity') as valid_from,
    nullif(v.valid_to, 'infinity') as valid_until,
    tstzrange(nullif(v.valid_from, '-infinity'), nullif(v.valid_to, 'infinity')) as valid,
    v.known_from,
    nullif(v.known_to, 'infinity') as known_until,
    tstzrange(v.known_from, nullif(v.known_to, 'infinity')) as known,
    f.contradiction_group,
    f.support,
    c.supporting as evidence_count,
    c.contradicting as contradict_count
from here
cross join taisce.fact_version as v
left join taisce.fact as f
    on f.project_id = v.project_id
    and f.fact_id = v.fact_id
left join taisce.entity as s
    on s.project_id = v.project_id
    and s.entity_id = v.subject_entity_id
    and s.name_until > statement_timestamp()
left join taisce.entity as o
    on o.project_id = v.project_id
    and o.entity_id = v.object_entity_id
    and o.name_until > statement_timestamp()
left join lateral (
    select
        (count(*) filter (where e.stance = 'supports'))::integer as supporting,
        (count(*) filter (where e.stance = 'contradicts'))::integer as contradicting
    from taisce.fact_evidence as e
    where e.project_id = v.project_id
      and e.fact_id = v.fact_id
      and e.retention_until > statement_timestamp()
) as c on true
where (select h.project_id from here as h) is not null
  and v.project_id = (select h.project_id from here as h)
  and v.object_entity_id is not null
  and v.retention_until > statement_timestamp();

comment on view memory_v1.graph_edges_history is
e'Every version of every relation between two entities.\n'
'Grain: one row a version of a relation\n'
'Key: fact_id, known_from\n'
'For: how the graph looked at some instant, on either clock\n'
'Few: project, predicate, source_role, support\n'
'Beware: without a condition on both clocks this mixes what was once believed with what is '
'believed now';
comment on column memory_v1.graph_edges_history.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.graph_edges_history.fact_id is
'Identifier of the fact; ascending order is the order in which facts were told.';
comment on column memory_v1.graph_edges_history.subject_id is
'Entity the fact is about.';
comment on column memory_v1.graph_edges_history.subject is
'Canonical name of that entity, cut if over 2,600 bytes; null once the retention of its source '
'has passed.';
comment on column memory_v1.graph_edges_history.predicate is
'What is said of the subject, from an open vocabulary; null for a bare statement.';
comment on column memory_v1.graph_edges_history.object_id is
'Entity at the other end; null for an attribute.';
comment on column memory_v1.graph_edges_history.object is
'Canonical name of the entity at the other end, cut like subject; null for an attribute, and once '
'the retention of its source has passed.';
comment on column memory_v1.graph_edges_history.statement is
'The fact in words, as it was recorded.';
comment on column memory_v1.graph_edges_history.source_role is
'Role of the messages behind the fact: user, assistant, system, tool or document.';
comment on column memory_v1.graph_edges_history.data_subject_id is
'Label of the person the memory is about, not a permission; null if none was given.';
comment on column memory_v1.graph_edges_history.confidence is
'Confidence the extractor gave, 0 to 1; null if it gave none; never a probability of truth.';
comment on column memory_v1.graph_edges_history.valid_from is
'When it began to hold in the world, inclusive; null if open; filter here for an index.';
comment on column memory_v1.graph_edges_history.valid_until is
'When it ceased to hold in the world, exclusive; null if open.';
comment on column memory_v1.graph_edges_history.valid is
'valid_from and valid_until as a range; a range operator only filters, compare the two '
'instants to use an index.';
comment on column memory_v1.graph_edges_history.known_from is
'When this memory began to believe this version, inclusive; filter here for an index.';
comment on column memory_v1.graph_edges_history.known_until is
'When this memory ceased to believe this version, exclusive; null if it still does.';
comment on column memory_v1.graph_edges_history.known is
'known_from and known_until as a range; a range operator only filters, compare the two '
'instants to use an index.';
comment on column memory_v1.graph_edges_history.contradiction_group is
'Facts with the same value here cannot all be true and are shown together; null if '
'undisputed.';
comment on column memory_v1.graph_edges_history.support is
'current, or withdrawn if the sources behind the fact no longer say so.';
comment on column memory_v1.graph_edges_history.evidence_count is
'How many claims support the fact; claims of one lineage are not independent, so count '
'evidence_lineage instead.';
comment on column memory_v1.graph_edges_history.contradict_count is
'How many claims contradict the fact.';
revoke all on memory_v1.graph_edges_history from public;
grant select on memory_v1.graph_edges_history to taisce_analyst;
