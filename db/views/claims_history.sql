-- memory_v1.claims_history
-- Claims, current or not.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.claims_history
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    c.claim_id,
    m.passage_id,
    c.observation_id,
    c.ordinal,
    c.role,
    c.claim_text,
    c.quote,
    c.byte_start,
    c.byte_end,
    c.asserted_at,
    nullif(nullif(c.claim_valid_from, '-infinity'), 'infinity') as claim_valid_from,
    nullif(nullif(c.claim_valid_until, 'infinity'), '-infinity') as claim_valid_until,
    c.claim_valid_precision,
    c.is_attributed,
    b.lineage,
    c.ingested_at,
    c.is_current_testimony,
    c.data_subject_id
from here
cross join taisce.claim as c
left join taisce.message as m
    on m.project_id = c.project_id
    and m.observation_id = c.observation_id
    and m.ordinal = c.ordinal
left join taisce.observation as b
    on b.project_id = c.project_id
    and b.observation_id = c.observation_id
where (select h.project_id from here as h) is not null
  and c.project_id = (select h.project_id from here as h)
  and c.retention_until > statement_timestamp();

comment on view memory_v1.claims_history is
e'All claims, those that their source no longer makes too: testimony, not belief.\n'
'Grain: one row a claim\n'
'Key: claim_id\n'
'For: what a source once said; what a fact rested on before\n'
'Few: project, role, claim_valid_precision, is_attributed, is_current_testimony\n'
'Beware: a claim whose is_current_testimony is false is no longer the word of its source';
comment on column memory_v1.claims_history.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.claims_history.claim_id is
'Identifier of the claim.';
comment on column memory_v1.claims_history.passage_id is
'Message the claim was made in.';
comment on column memory_v1.claims_history.observation_id is
'Observation the message belongs to.';
comment on column memory_v1.claims_history.ordinal is
'Place of the message in its observation, from 0.';
comment on column memory_v1.claims_history.role is
'Role of the message: user, assistant, system, tool or document.';
comment on column memory_v1.claims_history.claim_text is
'What the source says, in the words of the extractor.';
comment on column memory_v1.claims_history.quote is
'The exact words of the source behind it.';
comment on column memory_v1.claims_history.byte_start is
'First byte of the quote in the message, from 0.';
comment on column memory_v1.claims_history.byte_end is
'Byte after the quote.';
comment on column memory_v1.claims_history.asserted_at is
'When the source said it; null if unknown.';
comment on column memory_v1.claims_history.claim_valid_from is
'Start of the time the source speaks of; null if open or not said; never a time at which it '
'was true.';
comment on column memory_v1.claims_history.claim_valid_until is
'End of the time the source speaks of; null if open or not said; never a time at which it was '
'true.';
comment on column memory_v1.claims_history.claim_valid_precision is
'How exactly the source gave that time: unknown, instant, day, month, quarter, year or open.';
comment on column memory_v1.claims_history.is_attributed is
'True if the writer reports what somebody else said.';
comment on column memory_v1.claims_history.lineage is
'Document lineage of the source: claims with the same value are not independent.';
comment on column memory_v1.claims_history.ingested_at is
'When the claim was recorded.';
comment on column memory_v1.claims_history.is_current_testimony is
'False once a later version of the source dropped or changed the claim.';
comment on column memory_v1.claims_history.data_subject_id is
'Label of the person the memory is about, not a permission; null if none was given.';
revoke all on memory_v1.claims_history from public;
grant select on memory_v1.claims_history to taisce_analyst;
