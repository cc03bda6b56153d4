-- memory_v1.changes
-- Each branch reads its own index in order and nothing else, so that the newest are found at
-- once. A version that ends where the next one begins is one event.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.changes
with (security_barrier = true) as
(
    select
        (select here.project from taisce.view_scope() as here) as project,
        v.known_from as changed_at,
        'fact' as kind,
        v.cause as event,
        v.fact_id,
        null::uuid as claim_id,
        v.subject_entity_id as entity_id,
        null::uuid as survivor_id,
        v.caused_by as observation_id
    from taisce.fact_version as v
    where v.project_id = (select memory_v1.current_project_id())
      and v.retention_until > statement_timestamp()
    order by v.known_from desc
)
union all
(
    select
        (select here.project from taisce.view_scope() as here),
        v.known_to,
        'fact',
        case when v.closed_cause = 'retracted' then 'retracted' else 'closed' end,
        v.fact_id,
        null::uuid,
        v.subject_entity_id,
        null::uuid,
        v.closed_by
    from taisce.fact_version as v
    where v.project_id = (select memory_v1.current_project_id())
      and v.known_to < 'infinity'
      and v.closed_cause in ('retracted', 'corrected', 'loaded')
      and v.retention_until > statement_timestamp()
    order by v.known_to desc
)
union all
(
    select
        (select here.project from taisce.view_scope() as here),
        c.ingested_at,
        'claim',
        'claimed',
        null::uuid,
        c.claim_id,
        null::uuid,
        null::uuid,
        c.observation_id
    from taisce.claim as c
    where c.project_id = (select memory_v1.current_project_id())
      and c.retention_until > statement_timestamp()
    order by c.ingested_at desc
)
union all
(
    select
        (select here.project from taisce.view_scope() as here),
        g.merged_at,
        'identity',
        'merged',
        null::uuid,
        null::uuid,
        g.absorbed,
        g.survivor,
        null::uuid
    from taisce.entity_merge as g
    where g.project_id = (select memory_v1.current_project_id())
    order by g.merged_at desc
)
union all
(
    select
        (select here.project from taisce.view_scope() as here),
        g.reversed_at,
        'identity',
        'unmerged',
        null::uuid,
        null::uuid,
        g.absorbed,
        g.survivor,
        null::uuid
    from taisce.entity_merge as g
    where g.project_id = (select memory_v1.current_project_id())
      and g.reversed_at is not null
    order by g.reversed_at desc
)
order by changed_at desc;

comment on view memory_v1.changes is
e'What changed in the memory and when, newest first: facts, claims and identities.\n'
'Grain: one row an event\n'
'Key: none; changed_at orders\n'
'For: what is new since an instant; what the memory learnt, dropped or joined\n'
'Few: project, kind, event\n'
'Beware: this is when the memory changed, not when the world did; the words are in '
'facts_history and claims_history';
comment on column memory_v1.changes.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.changes.changed_at is
'When the memory changed; filter or order by it for an index.';
comment on column memory_v1.changes.kind is
'fact, claim or identity.';
comment on column memory_v1.changes.event is
'fact: asserted, superseded, corrected, reopened, loaded, merged, retracted or closed; claim: '
'claimed; identity: merged or unmerged.';
comment on column memory_v1.changes.fact_id is
'Fact concerned; null for other kinds.';
comment on column memory_v1.changes.claim_id is
'Claim concerned; null for other kinds.';
comment on column memory_v1.changes.entity_id is
'Subject of the fact, or entity that was merged; null for a claim.';
comment on column memory_v1.changes.survivor_id is
'Entity that stayed when the other was merged; null for other kinds.';
comment on column memory_v1.changes.observation_id is
'Observation that caused it; null if none is recorded.';
revoke all on memory_v1.changes from public;
grant select on memory_v1.changes to taisce_analyst;
