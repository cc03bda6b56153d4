-- taisce.load_entities(project_id, lines, now)
-- Declares the entities of some lines: new ones are stored, known ones get the names, type and
-- profile that the line adds. A name that facts have made an entity of already is adopted. No two
-- of the lines may declare the same thing: the caller sees to that.
-- Returns: {entities, names, repeated}: what was new, and how many lines changed nothing.
-- Raises: TS007, TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_entities(
    project_id bigint,
    lines taisce.load_line[],
    now timestamptz
)
returns jsonb
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_lines taisce.load_entity[];
    v_bad record;
    v_touched uuid[];
    v_more uuid[];
    v_entities bigint;
    v_names bigint;
begin
    v_lines := array(
        select row(
            l.line, l.body ->> 'key', l.body ->> 'speaker_of', l.body ->> 'name',
            taisce.name_key(n.normalized), n.normalized, null, true,
            case when l.body ->> 'source' is not null
                then taisce.observation_of(load_entities.project_id, l.body -> 'source') end,
            l.body
        )::taisce.load_entity
        from unnest(load_entities.lines) as l
        cross join lateral (
            select taisce.normalize_name(l.body ->> 'name') as normalized offset 0
        ) as n
        where l.type = 'entity'
        order by l.line
    );
    if cardinality(v_lines) = 0 then
        return '{"entities": 0, "names": 0, "repeated": 0}';
    end if;

    select l.line,
        case
            when l.body ->> 'source' is not null and l.source is null then 'source'
            when l.name is null and l.speaker is null then 'name'
            else 'speaker_of'
        end as field,
        case
            when l.body ->> 'source' is not null and l.source is null
                then 'is not an observation declared before'
            when l.name is null and l.speaker is null then 'is missing'
            when l.name is not null then 'cannot stand beside name'
            else 'has no names of its own'
        end as reason
    into v_bad
    from unnest(v_lines) as l
    where l.body ->> 'source' is not null and l.source is null
       or (l.name is null) = (l.speaker is null)
       or l.speaker is not null and l.body ->> 'aliases' not in ('[]')
    order by l.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, v_bad.field, v_bad.reason);
    end if;

    -- What a line means: what its key stood for before; else who has the name; else a new entity.
    v_lines := array(
        select row(
            l.line, l.key, l.speaker, l.name, l.name_key, l.normalized,
            coalesce(e.merged_into, i.entity_id),
            e.entity_id is null or e.status <> 'merged', l.source, l.body
        )::taisce.load_entity
        from unnest(v_lines) as l
        cross join lateral (
            select coalesce((
                select k.id
                from taisce.load_key as k
                where k.project_id = load_entities.project_id
                  and k.kind = 'entity'
                  and k.key between l.key and l.key
                order by k.key
                limit 1
            ), (
                select s.entity_id
                from taisce.entity as s
                where s.project_id = load_entities.project_id
                  and s.speaker_subject_id between l.speaker and l.speaker
                order by s.speaker_subject_id
                limit 1
            ), (
                select n.entity_id
                from taisce.entity_name as n
                where n.project_id = load_entities.project_id
                  and n.name_key between l.name_key and l.name_key
                  and n.kind = 'canonical'
                order by n.name_key
                limit 1
            ), case
                when l.speaker is not null
                    then taisce.make_id('speaker', load_entities.project_id, l.speaker)
                when l.key is not null
                    then taisce.make_id('entity', load_entities.project_id, l.key)
                else taisce.make_id('entity-name', load_entities.project_id, l.name_key)
            end) as entity_id
            offset 0
        ) as i
        left join lateral (
            select o.entity_id, o.status, o.merged_into
            from taisce.entity as o
            where o.project_id = load_entities.project_id
              and o.entity_id between i.entity_id and i.entity_id
            order by o.entity_id
            limit 1
        ) as e on true
        order by l.line
    );

    select l.line,
        case when e.speaker_subject_id is not distinct from l.speaker and k.key <> l.key
            then 'name' else 'key' end as field,
        case when e.speaker_subject_id is not distinct from l.speaker and k.key <> l.key
            then 'is that of an entity with another key'
            else 'was used before for another entity' end as reason
    into v_bad
    from unnest(v_lines) as l
    cross join lateral (
        select o.status, o.speaker_subject_id
        from taisce.entity as o
        where o.project_id = load_entities.project_id
          and o.entity_id between l.entity_id and l.entity_id
        order by o.entity_id
        limit 1
    ) as e
    left join lateral (
        select k.key
        from taisce.load_key as k
        where k.project_id = load_entities.project_id
          and k.id between l.entity_id and l.entity_id
          and k.kind = 'entity'
        order by k.id, k.key = l.key desc
        limit 1
    ) as k on true
    where l.key is not null
      and l.keeps_name
      and e.status <> 'retired'
      and (e.speaker_subject_id is distinct from l.speaker
        or k.key is not null and l.name is not null
            and (k.key <> l.key or (
                select true
                from taisce.entity_name as n
                where n.project_id = load_entities.project_id
                  and n.name_key between l.name_key and l.name_key
                  and n.entity_id = l.entity_id
                order by n.name_key
                limit 1
            ) is null))
    order by l.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, v_bad.field, v_bad.reason, 'TS007');
    end if;

    with stored as (
        insert into taisce.entity (
            project_id, entity_id, identity_kind, canonical_name, entity_type, profile,
            speaker_subject_id, first_seen_at, name_source, profile_source
        )
        select
            load_entities.project_id, l.entity_id,
            case when l.speaker is null then 'named' else 'speaker' end,
            coalesce(l.name, 'speaker'), l.body ->> 'entity_type', l.body ->> 'profile', l.speaker,
            load_entities.now, l.source,
            case when l.body ->> 'profile' is not null then l.source end
        from unnest(v_lines) as l
        on conflict on constraint entity_pkey do nothing
        returning entity.entity_id
    )
    select coalesce(array_agg(s.entity_id), '{}'), count(*)
    into v_touched, v_entities
    from stored as s;

    v_more := taisce.renew_entities(load_entities.project_id, v_lines, v_touched);
    v_touched := v_touched || v_more;

    with named as (
        select l.line, l.entity_id, l.name as spelling, l.normalized, l.name_key, l.source,
            l.keeps_name as canonical
        from unnest(v_lines) as l
        where l.name is not null
        union all
        select l.line, l.entity_id, a.value, n.normalized, taisce.name_key(n.normalized), l.source,
            false
        from unnest(v_lines) as l
        cross join lateral jsonb_array_elements_text(
            coalesce(nullif(l.body -> 'aliases', 'null'), '[]')) as a
        cross join lateral (select taisce.normalize_name(a.value) as normalized offset 0) as n
    ),
    once as (
        select distinct on (n.name_key, n.entity_id) n.*
        from named as n
        order by n.name_key, n.entity_id, n.canonical desc, n.line
    ),
    stored as (
        insert into taisce.entity_name as e (
            project_id, name_key, entity_id, normalized_name, spelling, kind, words, head_key,
            source_observation_id
        )
        select
            load_entities.project_id, o.name_key, o.entity_id, o.normalized, o.spelling,
            case when o.canonical and (
                select true
                from taisce.entity_name as c
                where c.project_id = load_entities.project_id
                  and c.entity_id between o.entity_id and o.entity_id
                  and c.kind = 'canonical'
                order by c.entity_id
                limit 1
            ) is null and (
                select true
                from taisce.entity_name as c
                where c.project_id = load_entities.project_id
                  and c.name_key between o.name_key and o.name_key
                  and c.kind = 'canonical'
                order by c.name_key
                limit 1
            ) is null then 'canonical' else 'alias' end,
            taisce.word_count(o.normalized),
            case when taisce.word_count(o.normalized) > 4 then taisce.head_key(o.normalized) end,
            o.source
        from once as o
        on conflict on constraint entity_name_pkey do update
        set source_observation_id = null
        where e.source_observation_id is not null
          and excluded.source_observation_id is null
        returning e.entity_id, e.name_key
    )
    -- What the statement itself has stored it does not see.
    select
        coalesce(array_agg(s.entity_id), '{}'),
        count(*) filter (where (
            select true
            from taisce.entity_name as e
            where e.project_id = load_entities.project_id
              and e.name_key between s.name_key and s.name_key
              and e.entity_id between s.entity_id and s.entity_id
            order by e.name_key, e.entity_id
            limit 1
        ) is null)
    into v_more, v_names
    from stored as s;
    v_touched := v_touched || v_more;

    with stored as (
        insert into taisce.load_key (project_id, kind, key, id)
        select load_entities.project_id, 'entity', l.key, l.entity_id
        from unnest(v_lines) as l
        where l.key is not null
        on conflict do nothing
        returning load_key.id
    )
    select coalesce(array_agg(s.id), '{}') into v_more from stored as s;
    v_touched := v_touched || v_more;

    return jsonb_build_object(
        'entities', v_entities,
        'names', v_names,
        'repeated', (
            select count(*)
            from unnest(v_lines) as l
            where not exists (select from unnest(v_touched) as t where t = l.entity_id)
        ));
end
$func$;
comment on function taisce.load_entities(bigint, taisce.load_line[], timestamptz) is
'Declares the entities of some lines, adopting those that facts have named already.';
revoke all on function taisce.load_entities(bigint, taisce.load_line[], timestamptz)
from public;
