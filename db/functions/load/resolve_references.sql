-- taisce.resolve_references(project_id, refs, now)
-- Finds the entities that lines refer to: by name, key, id, or as the speaker of a subject. A name
-- that leads nowhere becomes an entity. As the subject of a fact, "I", "me", "myself" and "the
-- user" are the speaker of the person whose own words are the evidence.
-- Returns: one row: the references with their entities; how many entities were made.
-- Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.resolve_references(
    project_id bigint,
    refs taisce.load_reference[],
    now timestamptz,
    out resolved taisce.load_reference[],
    out entities bigint
)
returns record
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_spellings text[];
    v_names text[];
    v_keys text[];
    v_owners uuid[];
    v_counts integer[];
    v_speakers bigint;
    v_bad record;
begin
    -- Each spelling is normalised and looked up once.
    select array_agg(s.spelling), array_agg(n.name), array_agg(k.key), array_agg(o.entity_id),
        array_agg(o.owners)
    into v_spellings, v_names, v_keys, v_owners, v_counts
    from (
        select distinct r.given #>> '{}' as spelling
        from unnest(resolve_references.refs) as r
        where jsonb_typeof(r.given) = 'string'
    ) as s
    cross join lateral (select taisce.normalize_name(s.spelling) as name offset 0) as n
    cross join lateral (select taisce.name_key(n.name) as key offset 0) as k
    cross join lateral (
        select cardinality(a.ids) as owners, a.ids[1] as entity_id
        from (
            select array(
                select e.entity_id
                from taisce.entity_name as e
                where e.project_id = resolve_references.project_id
                  and e.name_key between k.key and k.key
                order by e.name_key, e.entity_id
                limit 2
            ) as ids
            offset 0
        ) as a
    ) as o;

    resolve_references.resolved := array(
        select row(
            r.line, r.field, r.given, r.source,
            case
                when r.field = 'subject' and n.name in ('i', 'me', 'myself', 'the user')
                    then coalesce(r.speaker, '')
                when r.given ->> 'speaker' is not null and r.field = 'subject' then
                    case when r.given ->> 'speaker' = r.speaker then r.speaker else '' end
                else r.given ->> 'speaker'
            end,
            case
                when r.field = 'subject' and n.name in ('i', 'me', 'myself', 'the user')
                    or r.given ->> 'speaker' is not null then null
                when n.owners = 1 then n.entity_id
                when n.owners = 0
                    then taisce.make_id('entity-name', resolve_references.project_id, n.key)
                when r.given ->> 'key' is not null then (
                    select coalesce(e.merged_into, e.entity_id)
                    from taisce.entity as e
                    where e.project_id = resolve_references.project_id
                      and e.entity_id between k.id and k.id
                    order by e.entity_id
                    limit 1
                )
                when r.given ->> 'id' is not null then (
                    select coalesce(e.merged_into, e.entity_id)
                    from taisce.entity as e
                    where e.project_id = resolve_references.project_id
                      and e.entity_id between g.id and g.id
                    order by e.entity_id
                    limit 1
                )
            end
        )::taisce.load_reference
        from unnest(resolve_references.refs) as r
        left join unnest(v_spellings, v_names, v_keys, v_owners, v_counts)
            as n (spelling, name, key, entity_id, owners)
            on n.spelling = case when jsonb_typeof(r.given) = 'string' then r.given #>> '{}' end
        cross join lateral (
            select r.given ->> 'key' as key, (r.given ->> 'id')::uuid as id offset 0
        ) as g
        cross join lateral (
            select (
                select y.id
                from taisce.load_key as y
                where y.project_id = resolve_references.project_id
                  and y.kind = 'entity'
                  and y.key between g.key and g.key
                order by y.key
                limit 1
            ) as id
            offset 0
        ) as k
        order by r.line, r.field
    );

    select r.line, r.field,
        case
            when r.speaker = '' then 'only the own words of a subject, as user, may speak for him'
            when jsonb_typeof(r.given) = 'string' then 'is a name of several: give a key or an id'
            else 'is not an entity declared before'
        end as reason
    into v_bad
    from unnest(resolve_references.resolved) as r
    where r.speaker = ''
       or r.speaker is null and r.entity_id is null
    order by r.line, r.field
    limit 1;
    if v_bad.line is not null then
        perform taisce.refuse_line(v_bad.line, v_bad.field, v_bad.reason);
    end if;

    -- A key or an id of a speaker speaks for him too.
    select r.line, r.field
    into v_bad
    from unnest(resolve_references.refs) as r
    join unnest(resolve_references.resolved) as d on d.line = r.line and d.field = r.field
    cross join lateral (
        select e.speaker_subject_id
        from taisce.entity as e
        where e.project_id = resolve_references.project_id
          and e.entity_id between d.entity_id and d.entity_id
        order by e.entity_id
        limit 1
    ) as s
    where r.field = 'subject'
      and jsonb_typeof(r.given) = 'object'
      and s.speaker_subject_id <> coalesce(r.speaker, '')
    order by r.line
    limit 1;
    if v_bad.line is not null then
        perform taisce.refuse_line(v_bad.line, v_bad.field,
            'only the own words of a subject, as user, may speak for him');
    end if;

    -- Speakers are made at their first word.
    insert into taisce.entity (
        project_id, entity_id, identity_kind, canonical_name, speaker_subject_id, first_seen_at
    )
    select distinct
        resolve_references.project_id,
        taisce.make_id('speaker', resolve_references.project_id, r.speaker), 'speaker', 'speaker',
        r.speaker, resolve_references.now
    from unnest(resolve_references.resolved) as r
    where r.speaker is not null
    on conflict do nothing;
    get diagnostics v_speakers = row_count;

    if exists (
        select from unnest(resolve_references.resolved) as r where r.speaker is not null
    ) then
        resolve_references.resolved := array(
            select row(
                r.line, r.field, r.given, r.source, r.speaker,
                coalesce(r.entity_id, (
                    select e.entity_id
                    from taisce.entity as e
                    where e.project_id = resolve_references.project_id
                      and e.speaker_subject_id between r.speaker and r.speaker
                    order by e.speaker_subject_id
                    limit 1
                ))
            )::taisce.load_reference
            from unnest(resolve_references.resolved) as r
            order by r.line, r.field
        );
    end if;

    -- Names that lead nowhere become entities, as spelled first.
    with wanted as (
        select distinct on (n.key) n.key, n.name, n.spelling, r.source, r.entity_id
        from unnest(v_spellings, v_names, v_keys, v_counts) as n (spelling, name, key, owners)
        join unnest(resolve_references.resolved) as r
            on n.spelling = case when jsonb_typeof(r.given) = 'string' then r.given #>> '{}' end
        where n.owners = 0
          and r.speaker is null
        order by n.key, r.line, r.field = 'subject' desc, length(r.field), r.field
    ),
    made as (
        insert into taisce.entity as e (
            project_id, entity_id, identity_kind, canonical_name, first_seen_at, name_source
        )
        select resolve_references.project_id, w.entity_id, 'named', w.spelling,
            resolve_references.now, w.source
        from wanted as w
        on conflict on constraint entity_pkey do update
        set status = 'active',
            canonical_name = excluded.canonical_name,
            name_source = excluded.name_source
        where e.status = 'retired'
        returning e.entity_id
    ),
    named as (
        insert into taisce.entity_name (
            project_id, name_key, entity_id, normalized_name, spelling, kind, words, head_key,
            source_observation_id
        )
        select resolve_references.project_id, w.key, w.entity_id, w.name, w.spelling, 'canonical',
            taisce.word_count(w.name),
            case when taisce.word_count(w.name) > 4 then taisce.head_key(w.name) end, w.source
        from wanted as w
    )
    -- What the statement itself has stored it does not see.
    select
        count(*) filter (where (
            select true
            from taisce.entity as e
            where e.project_id = resolve_references.project_id
              and e.entity_id between m.entity_id and m.entity_id
            order by e.entity_id
            limit 1
        ) is null) + v_speakers
    into resolve_references.entities
    from made as m;
end
$func$;
comment on function taisce.resolve_references(bigint, taisce.load_reference[], timestamptz) is
'Finds the entities that lines refer to, and makes those whose names lead nowhere.';
revoke all on function taisce.resolve_references(bigint, taisce.load_reference[], timestamptz)
from public;
