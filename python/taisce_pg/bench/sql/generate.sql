-- Writes a skewed memory of %(facts)s facts straight into the tables of one project, as the loader
-- would have left it. Run as a superuser with triggers off; secondary indexes may be gone meanwhile.
-- Everything follows from hashes of (position, seed).

create temp table bench_who on commit drop as
select
    w.n,
    md5(%(project_id)s || ' entity ' || w.n)::uuid as entity_id,
    w.name,
    w.speaker_of
from (
    select s.n::integer, s.name, null::text as speaker_of
    from unnest(%(names)s::text[]) with ordinality as s (name, n)
    union all
    select
        (%(tail)s + t.n)::integer,
        (%(given)s::text[])[1 + mod(t.n, %(given_count)s)] || ' '
        || (%(family)s::text[])[1 + mod(t.n / %(given_count)s, %(family_count)s)] || ' ' || t.n,
        null
    from generate_series(0, %(entities)s - 1) as t (n)
    union all
    select (-1 - t.n)::integer, 'speaker', 's' || t.n
    from generate_series(0, %(subjects)s - 2) as t (n)
) as w (n, name, speaker_of);
create unique index on bench_who (n);
analyze bench_who;

create temp table bench_told on commit drop as
with special as (
    select
        s.n,
        s.other,
        s.role,
        s.subject,
        g.j <= s.as_subject as forward,
        10 * (
            (row_number() over (order by (g.j - 0.5) / s.count, s.n) - 1)
            * (%(facts)s / 10) / count(*) over ()
        ) + 7 as i
    from unnest(
        %(special_n)s::integer[], %(special_count)s::integer[], %(special_forward)s::integer[],
        %(special_other)s::integer[], %(special_role)s::text[], %(special_subject)s::text[]
    ) as s (n, count, as_subject, other, role, subject)
    cross join lateral generate_series(1, s.count) as g (j)
),
placed as (
    select
        g.i,
        s.n as special,
        s.other as special_other,
        s.role as special_role,
        s.subject as special_subject,
        s.forward as special_forward,
        case
            when mod(g.i, 10) = 0 then 'hub'
            when mod(g.i, 100) = 1 then 'small'
            when mod(g.i, 20) = 3 then 'churn'
            when s.n is not null then 'special'
            else 'tail'
        end as class,
        -- Which chain of replacements a fact belongs to: two facts of the hub, ten of the other.
        case
            when mod(g.i, 10) = 0 then mod(g.i / 10 - 1, %(facts)s / 20)
            when mod(g.i, 20) = 3 then mod(g.i / 20, %(facts)s / 200)
        end as chain,
        mod(g.i, 10) = 0 and g.i <= %(facts)s / 2 as early
    from generate_series(1::bigint, %(facts)s) as g (i)
    left join special as s on s.i = g.i
),
chained as (
    select
        p.*,
        -- The last tenth of the hub holds the rare role and the named subject.
        p.class = 'hub' and p.chain >= 2 * %(facts)s / 50 and mod(p.chain, 100) in (25, 50)
            as single
    from placed as p
),
drawn as (
    select
        c.*,
        c.class = 'hub' and c.single and not c.early and mod(c.chain, 100) = 50 as rare_role,
        c.class = 'hub' and c.single and not c.early and mod(c.chain, 100) = 25 as rare_subject,
        case c.class
            when 'special' then c.special_forward
            when 'small' then mod(c.i / 100, 5) <> 4
            else mod(coalesce(c.chain, 0) + coalesce(c.chain, 0) / 100, 5) <> 4
        end as forward,
        u.same,
        u.role,
        u.subject,
        u.value,
        u.one,
        u.two
    from chained as c
    cross join lateral (
        select
            (hashint8extended(coalesce(c.chain, c.i), %(seed)s + 1) & x'fffffffff'::bigint)
                / x'1000000000'::bigint::float8 as same,
            (hashint8extended(coalesce(c.chain, c.i), %(seed)s + 2) & x'fffffffff'::bigint)
                / x'1000000000'::bigint::float8 as role,
            (hashint8extended(coalesce(c.chain, c.i), %(seed)s + 3) & x'fffffffff'::bigint)
                / x'1000000000'::bigint::float8 as subject,
            (hashint8extended(coalesce(c.chain, c.i), %(seed)s + 4) & x'fffffffff'::bigint)
                / x'1000000000'::bigint::float8 as value,
            (hashint8extended(c.i, %(seed)s + 5) & x'fffffffff'::bigint)
                / x'1000000000'::bigint::float8 as one,
            (hashint8extended(c.i, %(seed)s + 6) & x'fffffffff'::bigint)
                / x'1000000000'::bigint::float8 as two
    ) as u
),
spoken as (
    select
        d.*,
        case
            when d.rare_role then %(rare_role)s
            when d.special_role is not null then d.special_role
            when d.class = 'hub' then
                case when d.role < 0.80 then 'user' when d.role < 0.95 then 'assistant'
                    else 'document' end
            when d.role < 0.70 then 'user'
            when d.role < 0.90 then 'assistant'
            when d.role < 0.99 or d.chain is not null then 'document'
            else %(rare_role)s
        end as source_role,
        case
            when d.rare_subject then %(subject)s
            when d.special_subject is not null then d.special_subject
            else 's' || floor((%(subjects)s - 1) * d.subject * d.subject)::integer
        end as data_subject_id
    from drawn as d
),
ended as (
    select
        s.i,
        s.class,
        s.source_role,
        s.data_subject_id,
        s.chain,
        -- The near end, and the far end drawn from the tail.
        case s.class
            when 'hub' then %(hub)s
            when 'small' then %(small)s
            when 'churn' then %(churn)s
            when 'special' then s.special
            else
                case
                    when mod(s.i, 40) = 12 and s.source_role = 'user'
                        then -1 - substr(s.data_subject_id, 2)::integer
                    else %(tail)s + floor(%(entities)s * s.one * s.one)::integer
                end
        end as near,
        case
            when s.special_other is not null then s.special_other
            -- The oldest facts of the hub name the two others again and again.
            when s.class = 'hub' and s.chain < %(facts)s / 1000 and mod(s.chain, 4) = 1
                then %(small)s
            when s.class = 'hub' and s.chain < %(facts)s / 1000 and mod(s.chain, 4) = 3
                then %(churn)s
            when s.class = 'hub' and mod(s.chain, 40) = 27 then %(churn)s
            when s.forward and s.class in ('hub', 'small', 'special', 'churn') and s.value < 0.1
                then null
            when s.class = 'tail' and s.value < 0.2 then null
            when s.forward then %(tail)s + floor(%(entities)s * s.two * s.two)::integer
            else %(tail)s + floor(%(entities)s * s.same * s.same)::integer
        end as far,
        s.forward,
        case
            when s.class = 'hub' and not s.single then 'holds ' || s.chain
            when s.class = 'churn' then 'keeps ' || s.chain
            else 'knows ' || mod(s.i, 23)
        end as predicate,
        (s.class = 'hub' and not s.single) or s.class = 'churn' as slot,
        case
            when s.class = 'hub' and not s.single and s.early then s.i + %(facts)s / 2
            when s.class = 'churn' and s.i / 20 + %(facts)s / 200 < %(facts)s / 20
                then s.i + 20 * (%(facts)s / 200)
        end as next,
        case s.class
            when 'hub' then s.single and s.early
            else s.class = 'tail' and mod(s.i, 13) = 0
        end as ends
    from spoken as s
)
select
    e.i,
    md5(%(project_id)s || ' said ' || e.i)::uuid as said,
    taisce.make_fact_id(e.i, md5(%(project_id)s || ' said ' || e.i)::uuid) as fact_id,
    e.source_role,
    e.data_subject_id,
    s.entity_id as subject_id,
    o.entity_id as object_id,
    s.name as subject_name,
    case when o.entity_id is null then 'value ' || e.i else o.name end as object_name,
    e.predicate,
    e.slot,
    e.next,
    e.ends,
    %(start)s::timestamptz + e.i * %(step)s::interval as told_at,
    'Note ' || e.i || ', ' || repeat('taken down on the way ', mod(e.i, 9)::integer)
        || 'says: ' || s.name || ' ' || e.predicate || ' '
        || case when o.entity_id is null then 'value ' || e.i else o.name end || '. '
        || repeat('Nothing else of weight was said then. ', mod(e.i, 8)::integer) as content
from ended as e
join bench_who as s on s.n = case when e.forward or e.far is null then e.near else e.far end
left join bench_who as o on o.n = case when e.forward or e.far is null then e.far else e.near end
order by e.i;
create unique index on bench_told (i);
analyze bench_told;

insert into taisce.entity (
    project_id, entity_id, identity_kind, canonical_name, entity_type, speaker_subject_id,
    first_seen_at
)
select
    %(project_id)s,
    w.entity_id,
    case when w.speaker_of is null then 'named' else 'speaker' end,
    w.name,
    case when w.speaker_of is null then 'person' end,
    w.speaker_of,
    %(start)s::timestamptz
from bench_who as w;

insert into taisce.entity_name (
    project_id, name_key, entity_id, normalized_name, spelling, kind, words
)
select
    %(project_id)s, lower(w.name), w.entity_id, lower(w.name), w.name, 'canonical',
    cardinality(string_to_array(w.name, ' '))
from bench_who as w
where w.speaker_of is null
order by lower(w.name) collate "C";
insert into taisce.observation (
    project_id, observation_id, log_offset, kind, source_role, data_subject_id, occurred_at,
    ingested_at, lineage, source_kind, message_count, characters, formed_at
)
select
    %(project_id)s, t.said, t.i, case t.source_role when 'document' then 'document' else 'turn' end,
    t.source_role, t.data_subject_id, t.told_at, t.told_at, t.said::text, 'bench', 1,
    char_length(t.content), t.told_at
from bench_told as t
order by t.i;

insert into taisce.message (
    project_id, observation_id, ordinal, passage_id, log_offset, role, content, characters, octets,
    occurred_at, content_digest, data_subject_id
)
select
    %(project_id)s, t.said, 0, md5(t.said::text)::uuid, t.i, t.source_role, t.content,
    char_length(t.content), octet_length(t.content), t.told_at,
    sha256(convert_to(t.content, 'UTF8')), t.data_subject_id
from bench_told as t
order by t.i;

create temp table bench_claim on commit drop as
select
    t.i,
    c.claim_id,
    c.byte_start,
    c.quote,
    t.fact_id,
    t.said,
    t.source_role,
    t.data_subject_id,
    t.subject_id,
    t.object_id,
    t.told_at
from bench_told as t
cross join lateral (
    select
        md5(t.said::text || ' 1')::uuid,
        octet_length('Note ' || t.i || ', says: ') + 22 * mod(t.i, 9)::integer,
        t.subject_name || ' ' || t.predicate || ' ' || t.object_name
    union all
    -- Every twentieth fact rests on two claims.
    select md5(t.said::text || ' 0')::uuid, 0, 'Note ' || t.i
    where mod(t.i, 20) in (10, 11)
) as c (claim_id, byte_start, quote);

insert into taisce.claim (
    project_id, claim_id, observation_id, ordinal, byte_start, byte_end, quote, claim_text, role,
    log_offset, data_subject_id, asserted_at, ingested_at
)
select
    %(project_id)s, c.claim_id, c.said, 0, c.byte_start, c.byte_start + octet_length(c.quote),
    c.quote, c.quote, c.source_role, c.i, c.data_subject_id, c.told_at, c.told_at
from bench_claim as c
order by c.i;

insert into taisce.entity_mention (
    project_id, entity_id, observation_id, ordinal, claim_id, data_subject_id
)
select %(project_id)s, e.entity_id, c.said, 0, c.claim_id, c.data_subject_id
from bench_claim as c
cross join lateral (
    select c.subject_id
    union
    select c.object_id where c.object_id is not null
) as e (entity_id);

insert into taisce.fact (
    project_id, fact_id, content_key, kind, subject_entity_id, predicate, object_entity_id,
    object_value, statement, confidence, source_role, data_subject_id, cardinality, recorded_at,
    stated_from, stated_until, superseded_by, supersession_source
)
select
    %(project_id)s, t.fact_id, t.said, case when t.object_id is null then 'attribute' else 'relation' end,
    t.subject_id, t.predicate, t.object_id, case when t.object_id is null then t.object_name end,
    t.predicate || ' ' || t.object_name, 0.9, t.source_role, t.data_subject_id,
    case when t.slot then 'one' else 'many' end, t.told_at,
    t.told_at - interval '1 day',
    case when t.ends then t.told_at + interval '90 days' else 'infinity' end,
    n.fact_id, n.said
from bench_told as t
left join bench_told as n on n.i = t.next
order by t.i;

-- A replaced fact has two versions: what was believed until then, and since then with its end.
insert into taisce.fact_version (
    project_id, fact_id, known_from, known_to, valid_from, valid_to, live, replaced, slot,
    subject_entity_id, object_entity_id, predicate, source_role, data_subject_id, cause, caused_by,
    closed_cause, closed_by
)
select
    %(project_id)s, t.fact_id, v.known_from, v.known_to, t.told_at - interval '1 day', v.valid_to,
    v.live, v.replaced, t.slot, t.subject_id, t.object_id, t.predicate, t.source_role,
    t.data_subject_id, v.cause, v.caused_by, v.closed_cause, v.closed_by
from bench_told as t
left join bench_told as n on n.i = t.next
cross join lateral (
    select
        t.told_at,
        case when n.i is null then 'infinity' else n.told_at end,
        case when t.ends then t.told_at + interval '90 days' else 'infinity' end,
        n.i is null and (not t.ends or t.told_at + interval '90 days' > statement_timestamp()),
        false,
        'loaded',
        null::uuid,
        case when n.i is not null then 'superseded' end,
        n.said
    union all
    select
        n.told_at, 'infinity', n.told_at - interval '1 day', false, true, 'superseded', n.said,
        null, null
    where n.i is not null
) as v (
    known_from, known_to, valid_to, live, replaced, cause, caused_by, closed_cause, closed_by
)
order by t.i;
-- At once, not at commit: what follows needs the room.
truncate bench_told;

insert into taisce.fact_evidence (
    project_id, fact_id, stance, log_offset, ordinal, byte_start, claim_id, observation_id, role,
    data_subject_id, linked_at
)
select
    %(project_id)s, c.fact_id, 'supports', c.i, 0, c.byte_start, c.claim_id, c.said, c.source_role,
    c.data_subject_id, c.told_at
from bench_claim as c
order by c.i, c.byte_start;
truncate bench_claim;

update taisce.project_clock as c
set last_stamp = %(start)s::timestamptz + (%(facts)s + 1) * %(step)s::interval,
    stored = %(facts)s,
    formed = %(facts)s
where c.project_id = %(project_id)s;
