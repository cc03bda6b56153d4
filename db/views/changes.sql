-- memory_v1.changes
-- Each branch reads its own index in order and nothing else, so that the newest are found at
-- once. A version that ends where the next one begins is one event.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.changes
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
(
    select
        (select h.project from here as h) as project,
        v.known_from as changed_at,
        'fact' as kind,
        v.cause as event,
        v.fact_id,
        null::uuid as claim_id,
        v.subject_entity_id as entity_id,
        null::uuid as survivor_id,
        case
            -- Only where something has expired can it be the cause.
            when (
                select not exists (
                    select
                    from taisce.observation as x
                    where x.project_id = (select h.project_id from here as h)
                      and x.retention_until < 'infinity'
                      and x.retention_until <= statement_timestamp()
                )
            ) then v.caused_by
            else (
                select o.observation_id
                from taisce.observation as o
                where o.project_id = v.project_id
                  and o.observation_id = v.caused_by
                  and o.retention_until > statement_timestamp()
            )
        end as observation_id
    from taisce.fact_version as v
    where (select h.project_id from here as h) is not null
      and v.project_id = (select h.project_id from here as h)
      and v.retention_until > statement_timestamp()
    order by v.known_from desc
)
union all
(
    select
        (select h.project from here as h),
        v.known_to,
        'fact',
        case when v.closed_cause = 'retracted' then 'retracted' else 'closed' end,
        v.fact_id,
        null::uuid,
        v.subject_entity_id,
        null::uuid,
        case
            -- Only where something has expired can it be the cause.
            when (
                select not exists (
                    select
                    from taisce.observation as x
                    where x.project_id = (select h.project_id from here as h)
                      and x.retention_until < 'infinity'
                      and x.retention_until <= statement_timestamp()
                )
            ) then v.closed_by
            else (
                select o.observation_id
                from taisce.observation as o
                where o.project_id = v.project_id
                  and o.observation_id = v.closed_by
                  and o.retention_until > statement_timestamp()
            )
        end
    from taisce.fact_version as v
    where (select h.project_id from here as h) is not null
      and v.project_id = (select h.project_id from here as h)
      and v.known_to < 'infinity'
      and v.closed_cause in ('retracted', 'corrected', 'loaded')
      and v.retention_until > statement_timestamp()
    order by v.known_to desc
)
union all
(
    select
        (select h.project from here as h),
        c.ingested_at,
        'claim',
        'claimed',
        null::uuid,
        c.claim_id,
        null::uuid,
        null::uuid,
        c.observation_id
    from taisce.claim as c
    where (select h.project_id from here as h) is not null
      and c.project_id = (select h.project_id from here as h)
      and c.retention_until > statement_timestamp()
    order by c.ingested_at desc
)
union all
(
    select
        (select h.project from here as h),
        g.merged_at,
        'identity',
        'merged',
        null::uuid,
        null::uuid,
        g.absorbed,
        g.survivor,
        null::uuid
    from taisce.entity_merge as g
    where (select h.project_id from here as h) is not null
      and g.project_id = (select h.project_id from here as h)
    order by g.merged_at desc
)
union all
(
    select
        (select h.project from here as h),
        g.reversed_at,
        'identity',
        'unmerged',
        null::uuid,
        null::uuid,
        g.absorbed,
        g.survivor,
        null::uuid
    from taisce.entity_merge as g
    where (select h.project_id from here as h) is not null
      and g.project_id = (select h.project_id from here as h)
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
'Observation that caused it; null if none is recorded, or once its retention has passed.';
revoke all on memory_v1.changes from public;
grant select on memory_v1.changes to taisce_analyst;
