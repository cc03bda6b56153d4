-- A hub whose facts were replaced round by round: %(slots)s slots of one value each, %(rounds)s
-- values of each slot, told in the order of rounds. Written past the loader, as it would leave it.

create temp table past_told on commit drop as
select
    s.i,
    md5(%(project_id)s || ' past ' || s.i)::uuid as said,
    taisce.make_fact_id(s.i, md5(%(project_id)s || ' past ' || s.i)::uuid) as fact_id,
    'slot ' || s.slot as predicate,
    s.round::text as value,
    'Slot ' || s.slot || ' of the hub is ' || s.round || '.' as content,
    %(start)s::timestamptz + s.i * %(step)s::interval as told_at,
    lead(s.i) over (partition by s.slot order by s.round) as next
from (
    -- Each round in an order of its own.
    select
        row_number() over (order by r.round, md5(%(seed)s || ' ' || r.round || ' ' || t.slot)) as i,
        r.round,
        t.slot
    from generate_series(1, %(rounds)s) as r (round)
    cross join generate_series(1, %(slots)s) as t (slot)
) as s;
create unique index on past_told (i);
analyze past_told;

insert into taisce.entity (
    project_id, entity_id, identity_kind, canonical_name, entity_type, first_seen_at
)
values (%(project_id)s, %(hub)s::uuid, 'named', %(name)s, 'thing', %(start)s::timestamptz);

insert into taisce.entity_name (
    project_id, name_key, entity_id, normalized_name, spelling, kind, words
)
values (%(project_id)s, lower(%(name)s), %(hub)s::uuid, lower(%(name)s), %(name)s, 'canonical', 2);

insert into taisce.observation (
    project_id, observation_id, log_offset, kind, source_role, occurred_at, ingested_at, lineage,
    source_kind, message_count, characters, formed_at
)
select
    %(project_id)s, t.said, t.i, 'turn', 'user', t.told_at, t.told_at, t.said::text, 'bench', 1,
    char_length(t.content), t.told_at
from past_told as t
order by t.i;

insert into taisce.message (
    project_id, observation_id, ordinal, passage_id, log_offset, role, content, characters, octets,
    occurred_at, content_digest
)
select
    %(project_id)s, t.said, 0, md5(t.said::text)::uuid, t.i, 'user', t.content,
    char_length(t.content), octet_length(t.content), t.told_at,
    sha256(convert_to(t.content, 'UTF8'))
from past_told as t
order by t.i;

insert into taisce.claim (
    project_id, claim_id, observation_id, ordinal, byte_start, byte_end, quote, claim_text, role,
    log_offset, asserted_at, ingested_at
)
select
    %(project_id)s, md5(t.said::text || ' 1')::uuid, t.said, 0, 0, octet_length(t.content),
    t.content, t.content, 'user', t.i, t.told_at, t.told_at
from past_told as t
order by t.i;

insert into taisce.entity_mention (project_id, entity_id, observation_id, ordinal, claim_id)
select %(project_id)s, %(hub)s::uuid, t.said, 0, md5(t.said::text || ' 1')::uuid
from past_told as t;

insert into taisce.fact (
    project_id, fact_id, content_key, kind, subject_entity_id, predicate, object_value, statement,
    source_role, cardinality, recorded_at, stated_from, superseded_by, supersession_source
)
select
    %(project_id)s, t.fact_id, t.said, 'attribute', %(hub)s::uuid, t.predicate, t.value, t.content,
    'user', 'one', t.told_at, t.told_at, n.fact_id, n.said
from past_told as t
left join past_told as n on n.i = t.next
order by t.i;

-- A replaced fact has two versions: what was believed until then, and since then with its end.
insert into taisce.fact_version (
    project_id, fact_id, known_from, known_to, valid_from, valid_to, live, replaced, slot,
    subject_entity_id, predicate, source_role, cause, caused_by, closed_cause, closed_by
)
select
    %(project_id)s, t.fact_id, v.known_from, v.known_to, t.told_at, v.valid_to, v.live, v.replaced,
    true, %(hub)s::uuid, t.predicate, 'user', v.cause, v.caused_by, v.closed_cause, v.closed_by
from past_told as t
left join past_told as n on n.i = t.next
cross join lateral (
    select
        t.told_at,
        coalesce(n.told_at, 'infinity'),
        'infinity'::timestamptz,
        n.i is null,
        false,
        'asserted',
        null::uuid,
        case when n.i is not null then 'superseded' end,
        n.said
    union all
    select n.told_at, 'infinity', n.told_at, false, true, 'superseded', n.said, null, null
    where n.i is not null
) as v (
    known_from, known_to, valid_to, live, replaced, cause, caused_by, closed_cause, closed_by
)
order by t.i;

insert into taisce.fact_evidence (
    project_id, fact_id, stance, log_offset, ordinal, byte_start, claim_id, observation_id, role,
    linked_at
)
select
    %(project_id)s, t.fact_id, 'supports', t.i, 0, 0, md5(t.said::text || ' 1')::uuid, t.said,
    'user', t.told_at
from past_told as t
order by t.i;

update taisce.project_clock as c
set last_stamp = %(start)s::timestamptz + (%(slots)s * %(rounds)s + 1) * %(step)s::interval,
    stored = %(slots)s * %(rounds)s,
    formed = %(slots)s * %(rounds)s
where c.project_id = %(project_id)s;
