-- requires: search/word_candidates.sql
-- memory_v1.lexical_facts(query, k, project, data_subject_id, source_roles, entity_ids)
-- Current facts that answer a query best by their words: statement, names, predicate, value, date.
-- A query is read leniently: any of its words counts. complete says that no better one was left
-- unread.
-- Returns: at most k (20, at most 100) rows, best first.
-- Raises: TS003, TS004, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.lexical_fact') is null then
        create type memory_v1.lexical_fact as (
            project text,
            fact_id uuid,
            fact_kind text,
            subject_id uuid,
            subject text,
            predicate text,
            object_id uuid,
            object text,
            value text,
            statement text,
            source_role text,
            valid_from timestamptz,
            valid_until timestamptz,
            score double precision,
            complete boolean
        );
        comment on type memory_v1.lexical_fact is 'A current fact found by its words.';
    end if;
end
$do$;

create or replace function memory_v1.lexical_facts(
    query text,
    k integer default 20,
    project text default null,
    data_subject_id text default null,
    source_roles text[] default null,
    entity_ids uuid[] default null
)
returns setof memory_v1.lexical_fact
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 20
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_now constant timestamptz := statement_timestamp();
    v_project_id bigint;
    v_project text;
    v_roles text[];
    v_words taisce.word_terms;
    v_numbers bigint[];
    v_most integer := least(lexical_facts.k, 100) + 20;
    v_hits taisce.word_hit[];
    v_found memory_v1.lexical_fact[];
    v_scope taisce.time_scope;
begin
    perform taisce.check_search(
        lexical_facts.query, lexical_facts.k, 'k', 100, lexical_facts.data_subject_id,
        lexical_facts.source_roles);
    v_project_id := taisce.resolve_project(lexical_facts.project, 'read');
    select p.name, coalesce(lexical_facts.source_roles, p.default_source_roles)
    into v_project, v_roles
    from taisce.project as p
    where p.project_id = v_project_id;
    if lexical_facts.entity_ids is not null then
        v_numbers := taisce.scope_numbers(
            v_project_id, 'fact',
            taisce.checked_entities(v_project_id, lexical_facts.entity_ids, 20));
    end if;
    v_words := taisce.word_query(v_project_id, 'fact', lexical_facts.query);
    v_scope := taisce.time_scope(
        v_project_id, null, null, taisce.setting_interval('clock_skew'));

    -- What the live tables refuse makes room for more, a few times over.
    loop
        v_hits := array(
            select h
            from taisce.word_candidates(
                v_project_id, 'fact', v_words, v_roles, v_most, 500,
                lexical_facts.data_subject_id, v_numbers) as h
        );
        v_found := array(
            select row(
                v_project,
                f.fact_id,
                f.kind,
                f.subject_entity_id,
                s.canonical_name,
                f.predicate,
                f.object_entity_id,
                o.canonical_name,
                f.object_value,
                f.statement,
                f.source_role,
                nullif(v.valid_from, '-infinity'),
                nullif(v.valid_to, 'infinity'),
                h.score,
                h.complete
            )::memory_v1.lexical_fact
            from unnest(v_hits) with ordinality as h (number, item_id, score, complete, place)
            cross join lateral (
                select i.*
                from taisce.fact as i
                where i.project_id = v_project_id
                  and i.fact_id between h.item_id and h.item_id
                  and i.source_role = any (v_roles)
                  and i.retention_until > v_now
                  and (lexical_facts.data_subject_id is null
                    or i.data_subject_id = lexical_facts.data_subject_id)
                order by i.fact_id
                limit 1
            ) as f
            cross join lateral (
                select i.valid_from, i.valid_to
                from taisce.fact_version as i
                where i.project_id = v_project_id
                  and i.fact_id between h.item_id and h.item_id
                  and i.live
                  and i.known_to >= v_scope.known_to_min
                  and i.valid_from <= v_scope.valid_from_max
                  and i.valid_to >= case when i.replaced then v_scope.replaced_to_min
                    else v_scope.valid_to_min end
                order by i.fact_id, i.known_from
                limit 1
            ) as v
            cross join lateral (
                select true
                from taisce.fact_evidence as i
                where i.project_id = v_project_id
                  and i.fact_id between h.item_id and h.item_id
                  and i.stance = 'supports'
                  and i.role = any (v_roles)
                  and i.retention_until > v_now
                  and (lexical_facts.data_subject_id is null
                    or i.data_subject_id = lexical_facts.data_subject_id)
                order by i.fact_id
                limit 1
            ) as e
            cross join lateral (
                select i.canonical_name
                from taisce.entity as i
                where i.project_id = v_project_id
                  and i.entity_id between f.subject_entity_id and f.subject_entity_id
                order by i.entity_id
                limit 1
            ) as s
            left join lateral (
                select i.canonical_name
                from taisce.entity as i
                where i.project_id = v_project_id
                  and i.entity_id between f.object_entity_id and f.object_entity_id
                order by i.entity_id
                limit 1
            ) as o on true
            order by h.place
            limit lexical_facts.k
        );
        exit when cardinality(v_found) >= lexical_facts.k or cardinality(v_hits) < v_most
            or v_most >= 2000;
        v_most := v_most * 4;
    end loop;
    return query select f.* from unnest(v_found) as f;
end
$func$;
comment on function memory_v1.lexical_facts(text, integer, text, text, text[], uuid[]) is
'Current facts that answer a query best by their words, any of which counts.';
revoke all on function memory_v1.lexical_facts(text, integer, text, text, text[], uuid[])
from public;
grant execute on function memory_v1.lexical_facts(text, integer, text, text, text[], uuid[])
to taisce_reader, taisce_analyst;
