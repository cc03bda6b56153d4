-- taisce.read_load_facts(project_id, lines, spans)
-- Reads the fact lines, with what their evidence says of role, subject, offset and retention.
-- Returns: the facts in order of line, their entities not yet known.
-- Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.read_load_facts(
    project_id bigint,
    lines taisce.load_line[],
    spans taisce.load_span[]
)
returns taisce.load_fact[]
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_facts taisce.load_fact[];
    v_latest constant timestamptz
        := pg_catalog.clock_timestamp() + taisce.setting_interval('clock_skew');
    v_bad record;
begin
    with support as (
        select s.line,
            min(s.role) as role,
            min(s.data_subject_id) as subject,
            min(s.log_offset) as log_offset,
            max(s.retention_until) as retention_until,
            (array_agg(s.observation_id order by s.log_offset, s.item))[1] as source
        from unnest(read_load_facts.spans) as s
        where s.item is not null
          and s.stance = 'supports'
        group by s.line
    ),
    fact as materialized (
        select l.line, l.body, l.body ->> 'predicate' as predicate, u.role, u.subject,
            u.log_offset, u.retention_until,
            u.source,
            coalesce((l.body ->> 'valid_from')::timestamptz, '-infinity') as stated_from,
            coalesce((l.body ->> 'valid_until')::timestamptz, 'infinity') as stated_until
        from unnest(read_load_facts.lines) as l
        left join support as u on u.line = l.line
        where l.type = 'fact'
    )
    select array_agg(row(
        f.line, f.body ->> 'key', f.body -> 'subject', nullif(f.body -> 'object', 'null'),
        case when f.body ->> 'object' is null then 'attribute' else 'relation' end,
        f.body ->> 'predicate', f.body ->> 'value', f.body ->> 'statement',
        coalesce(f.body ->> 'cardinality', p.cardinality, 'many'), f.stated_from, f.stated_until,
        (f.body ->> 'known_from')::timestamptz, (f.body ->> 'confidence')::double precision,
        f.role, f.subject, coalesce(f.body ->> 'on_conflict', 'refuse'), f.log_offset, f.source,
        f.retention_until, null, null, null, null, false, false, null, null, null, null, null
    )::taisce.load_fact order by f.line)
    into v_facts
    from fact as f
    left join lateral (
        select d.cardinality
        from taisce.predicate as d
        where d.project_id = read_load_facts.project_id
          and d.predicate between f.predicate and f.predicate
        order by d.predicate
        limit 1
    ) as p on true;

    select n.line, n.field, n.reason
    into v_bad
    from (
        select f.line,
            case
                when f.body ->> 'object' is not null and f.body ->> 'value' is not null then 'value'
                when f.kind = 'relation' and f.predicate is null then 'predicate'
                when f.stated_from >= f.stated_until then 'valid_until'
                when f.source_role is null then 'evidence'
                when f.other_role then 'evidence'
                when f.body ->> 'source_role' <> f.source_role then 'source_role'
                when f.subjects > 1 then 'evidence'
                when f.body ->> 'data_subject_id' is distinct from f.data_subject_id
                    and f.body ->> 'data_subject_id' is not null then 'data_subject_id'
                when f.known_from > v_latest then 'known_from'
            end as field,
            case
                when f.body ->> 'object' is not null and f.body ->> 'value' is not null
                    then 'cannot stand beside object'
                when f.kind = 'relation' and f.predicate is null then 'is needed beside an object'
                when f.stated_from >= f.stated_until then 'must be later than valid_from'
                when f.source_role is null then 'has nothing that supports the fact'
                when f.other_role then 'is of several roles'
                when f.body ->> 'source_role' <> f.source_role then 'is not that of the evidence'
                when f.subjects > 1 then 'is of several data subjects'
                when f.body ->> 'data_subject_id' is distinct from f.data_subject_id
                    and f.body ->> 'data_subject_id' is not null
                    then 'is not that of the evidence'
                when f.known_from > v_latest then 'lies in the future'
            end as reason
        from (
            select f.*, l.body, u.subjects, u.other_role
            from unnest(v_facts) as f
            join unnest(read_load_facts.lines) as l on l.line = f.line
            left join (
                select s.line,
                    min(s.role) <> max(s.role) as other_role,
                    count(distinct s.data_subject_id)
                        + (count(*) > count(s.data_subject_id))::integer as subjects
                from unnest(read_load_facts.spans) as s
                where s.item is not null
                  and s.stance = 'supports'
                group by s.line
            ) as u on u.line = f.line
        ) as f
    ) as n
    where n.reason is not null
    order by n.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, v_bad.field, v_bad.reason);
    end if;
    return coalesce(v_facts, '{}');
end
$func$;
comment on function taisce.read_load_facts(bigint, taisce.load_line[], taisce.load_span[]) is
'Reads the fact lines, with what their evidence says of role, subject and retention.';
revoke all on function taisce.read_load_facts(bigint, taisce.load_line[], taisce.load_span[])
from public;
