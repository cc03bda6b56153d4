-- memory_v1.fact_evidence
-- Links between facts and claims.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.fact_evidence
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    f.kind as fact_kind,
    e.fact_id,
    e.claim_id,
    e.stance collate "default" as stance,
    c.observation_id,
    b.lineage,
    c.asserted_at,
    e.linked_at
from here
cross join taisce.fact_evidence as e
left join taisce.fact as f
    on f.project_id = e.project_id
    and f.fact_id = e.fact_id
left join taisce.claim as c
    on c.project_id = e.project_id
    and c.claim_id = e.claim_id
left join taisce.observation as b
    on b.project_id = e.project_id
    and b.observation_id = e.observation_id
where (select h.project_id from here as h) is not null
  and e.project_id = (select h.project_id from here as h)
  and e.retention_until > statement_timestamp();

comment on view memory_v1.fact_evidence is
e'Which claims support or contradict which facts.\n'
'Grain: one row a fact, claim and stance\n'
'Key: fact_id, claim_id, stance\n'
'For: why a fact is believed: the claims behind it, and from there the words\n'
'Few: project, fact_kind, stance\n'
'Beware: rows are not independent witnesses: count evidence_lineage';
comment on column memory_v1.fact_evidence.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.fact_evidence.fact_kind is
'relation (two entities) or attribute (an entity and a value or a bare statement).';
comment on column memory_v1.fact_evidence.fact_id is
'Identifier of the fact; ascending order is the order in which facts were told.';
comment on column memory_v1.fact_evidence.claim_id is
'Claim that speaks for or against the fact.';
comment on column memory_v1.fact_evidence.stance is
'supports or contradicts.';
comment on column memory_v1.fact_evidence.observation_id is
'Observation the claim was made in.';
comment on column memory_v1.fact_evidence.lineage is
'Document lineage of that observation.';
comment on column memory_v1.fact_evidence.asserted_at is
'When the source said it; null if unknown.';
comment on column memory_v1.fact_evidence.linked_at is
'When the claim was linked to the fact.';
revoke all on memory_v1.fact_evidence from public;
grant select on memory_v1.fact_evidence to taisce_analyst;
