-- taisce.find_anchors(project_id, terms, subject, read_at)
-- The entities a question names: one probe of the name index per candidate; long names by their
-- first four words, then whole. With a subject, only what that subject's own observations mention,
-- and the subject's speaker last. Names whose source passed its retention lead nowhere.
-- Returns: one row a anchor in order: longest match first, then name, then id; the speaker last.
-- Raises: TS001 over 256 pairs of name and entity.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.anchor') is null then
        create type taisce.anchor as (
            entity_id uuid,
            name text,
            entity_type text,
            matched text,
            exact boolean
        );
    end if;
end
$do$;

create or replace function taisce.find_anchors(
    project_id bigint,
    terms taisce.term_set,
    subject text,
    read_at timestamptz
)
returns taisce.anchor[]
language plpgsql
stable
parallel safe
as $func$
declare
    v_most constant integer := 256;
    v_long text[] := '{}';
    v_anchors taisce.anchor[];
    v_pairs integer;
    v_speaker taisce.anchor;
begin
    if cardinality(find_anchors.terms.heads) > 0 then
        v_long := taisce.long_names(find_anchors.project_id, find_anchors.terms);
    end if;

    -- Each lateral read is one probe of one index: its limit leaves the planner nothing to reorder.
    with hit as materialized (
        select
            e.entity_id,
            e.canonical_name,
            e.entity_type,
            n.normalized_name
        from (
            select c.candidate, taisce.name_key(c.candidate) as key
            from unnest(find_anchors.terms.candidates) as c (candidate)
            union
            select l.candidate, taisce.name_key(l.candidate)
            from unnest(v_long) as l (candidate)
        ) as c
        cross join lateral (
            select l.entity_id, l.normalized_name
            from taisce.entity_name as l
            where l.project_id = find_anchors.project_id
              and l.name_key between c.key and c.key
              and l.normalized_name = c.candidate
              and case
                when l.kept_until > find_anchors.read_at then true
                else taisce.name_is_kept(
                    find_anchors.project_id, l.entity_id, l.normalized_name,
                    find_anchors.read_at)
              end
            order by l.name_key, l.entity_id
            limit v_most + 1
        ) as n
        cross join lateral (
            select
                i.entity_id,
                k.name as canonical_name,
                case when k.name = i.canonical_name then i.entity_type end as entity_type
            from taisce.entity as i
            cross join lateral (
                select case
                    when i.name_until > find_anchors.read_at then i.canonical_name
                    else taisce.shown_name(
                        find_anchors.project_id, i.entity_id, find_anchors.read_at)
                end as name
            ) as k
            where i.project_id = find_anchors.project_id
              and i.entity_id between n.entity_id and n.entity_id
              and i.status = 'active'
            order by i.entity_id
            limit 1
        ) as e
        left join lateral (
            select true as seen
            from taisce.entity_mention as m
            where m.project_id = find_anchors.project_id
              and m.entity_id = n.entity_id
              and m.data_subject_id between find_anchors.subject and find_anchors.subject
              and m.retention_until > find_anchors.read_at
            order by m.data_subject_id
            limit 1
        ) as s on true
        where find_anchors.subject is null
           or s.seen
        limit v_most + 1
    )
    select
        (select count(*) from hit),
        array_agg(
            row(
                o.entity_id, o.canonical_name, o.entity_type, o.normalized_name, true
            )::taisce.anchor
            order by
                char_length(o.normalized_name) desc,
                o.canonical_name collate "C",
                o.entity_id
        )
    into v_pairs, v_anchors
    from (
        select distinct on (h.entity_id) h.*
        from hit as h
        order by
            h.entity_id,
            char_length(h.normalized_name) desc,
            h.normalized_name collate "C"
    ) as o;

    if v_pairs > v_most then
        raise exception using
            errcode = 'TS001',
            message = 'invalid_question',
            detail = format('the names of a question may lead to at most %s entities', v_most),
            hint = 'Use fuller names, or name a data subject.';
    end if;
    if find_anchors.subject is not null then
        select e.entity_id, e.canonical_name, e.entity_type, 'speaker', false
        into v_speaker
        from taisce.entity as e
        where e.project_id = find_anchors.project_id
          and e.speaker_subject_id between find_anchors.subject and find_anchors.subject
          and e.status = 'active'
        order by e.speaker_subject_id
        limit 1;
        if found then
            v_anchors := array_append(v_anchors, v_speaker);
        end if;
    end if;
    return coalesce(v_anchors, '{}');
end
$func$;
comment on function taisce.find_anchors(bigint, taisce.term_set, text, timestamptz) is
'The entities a question names, longest match first, the speaker last.';
revoke all on function taisce.find_anchors(bigint, taisce.term_set, text, timestamptz)
from public;
