-- taisce.question_speakers(project_id, query, entity_ids)
-- Who a question names, as a message may begin with it ("Name: ..."): words of the question as they
-- stand, and the other names of the entities that these lead to, or that are given.
-- Returns: normalised names; most of them nobody's.   Runs as: invoker.   Since: 0.1

create or replace function taisce.question_speakers(
    project_id bigint,
    query text,
    entity_ids uuid[]
)
returns text[]
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
#variable_conflict use_variable
declare
    v_now constant timestamptz := statement_timestamp();
begin
    return array(
        with window_of as materialized (
            select distinct array_to_string(w.words[i.i:i.i + n.n - 1], ' ') as candidate
            from (select (taisce.name_words(taisce.normalize_name(query)))[:40] as words) as w
            cross join lateral generate_series(1, cardinality(w.words)) as i (i)
            cross join generate_series(1, 3) as n (n)
        ),
        named as materialized (
            select e.entity_id
            from window_of as c
            cross join lateral (
                select n.entity_id
                from taisce.entity_name as n
                where n.project_id = project_id
                  and n.name_key between taisce.name_key(c.candidate)
                      and taisce.name_key(c.candidate)
                  and case
                    when n.kept_until > v_now then true
                    else taisce.name_is_kept(
                        project_id, n.entity_id, n.normalized_name, v_now)
                  end
                order by n.name_key, n.entity_id
                limit 4
            ) as e
            union
            select e.entity_id
            from unnest(entity_ids) as e (entity_id)
        )
        select c.candidate
        from window_of as c
        union
        select o.normalized_name
        from named as e
        cross join lateral (
            select n.normalized_name
            from taisce.entity_name as n
            where n.project_id = project_id
              and n.entity_id between e.entity_id and e.entity_id
              and case
                when n.kept_until > v_now then true
                else taisce.name_is_kept(project_id, n.entity_id, n.normalized_name, v_now)
              end
            order by n.entity_id
            limit 16
        ) as o
        where octet_length(o.normalized_name) <= 64
    );
end
$func$;
comment on function taisce.question_speakers(bigint, text, uuid[]) is
'Who a question names, as a message may begin with it.';
revoke all on function taisce.question_speakers(bigint, text, uuid[]) from public;
