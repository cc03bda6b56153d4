-- memory_v1.evidence_lineage
-- Evidence by lineage.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.evidence_lineage
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    f.kind as fact_kind,
    e.fact_id,
    e.stance collate "default" as stance,
    b.lineage,
    count(*)::integer as claim_count,
    min(e.linked_at) as first_linked_at,
    max(e.linked_at) as last_linked_at
from here
cross join taisce.fact_evidence as e
left join taisce.fact as f
    on f.project_id = e.project_id
    and f.fact_id = e.fact_id
left join taisce.observation as b
    on b.project_id = e.project_id
    and b.observation_id = e.observation_id
where (select h.project_id from here as h) is not null
  and e.project_id = (select h.project_id from here as h)
  and e.retention_until > statement_timestamp()
group by here.project, f.kind, e.fact_id, e.stance, b.lineage;

comment on view memory_v1.evidence_lineage is
e'How many independent lineages speak for or against a fact: the only thing to count.\n'
'Grain: one row a fact, stance and lineage\n'
'Key: fact_id, stance, lineage\n'
'For: how widely a fact is supported\n'
'Few: project, fact_kind, stance\n'
'Beware: two lineages may still copy each other; the number says nothing about who is right';
comment on column memory_v1.evidence_lineage.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.evidence_lineage.fact_kind is
'relation (two entities) or attribute (an entity and a value or a bare statement).';
comment on column memory_v1.evidence_lineage.fact_id is
'Identifier of the fact; ascending order is the order in which facts were told.';
comment on column memory_v1.evidence_lineage.stance is
'supports or contradicts.';
comment on column memory_v1.evidence_lineage.lineage is
'Document lineage.';
comment on column memory_v1.evidence_lineage.claim_count is
'How many claims of that lineage there are.';
comment on column memory_v1.evidence_lineage.first_linked_at is
'When the first of them was linked to the fact.';
comment on column memory_v1.evidence_lineage.last_linked_at is
'When the last of them was linked to the fact.';
revoke all on memory_v1.evidence_lineage from public;
grant select on memory_v1.evidence_lineage to taisce_analyst;
