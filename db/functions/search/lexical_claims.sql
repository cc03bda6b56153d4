-- requires: search/word_candidates.sql
-- memory_v1.lexical_claims(query, k, project, data_subject_id, source_roles, entity_ids)
-- Claims that answer a query best by their words (BM25 over the project's own statistics).
-- A query is read leniently: any of its words counts. complete says that no better one was left
-- unread.
-- Returns: at most k (20, at most 100) rows, best first.
-- Raises: TS003, TS004, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.lexical_claim') is null then
        create type memory_v1.lexical_claim as (
            project text,
            claim_id uuid,
            passage_id uuid,
            observation_id uuid,
            ordinal integer,
            role text,
            claim_text text,
            quote text,
            asserted_at timestamptz,
            score double precision,
            complete boolean
        );
        comment on type memory_v1.lexical_claim is 'A claim found by its words: testimony, never a fact.';
    end if;
end
$do$;

create or replace function memory_v1.lexical_claims(
    query text,
    k integer default 20,
    project text default null,
    data_subject_id text default null,
    source_roles text[] default null,
    entity_ids uuid[] default null
)
returns setof memory_v1.lexical_claim
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
    v_most integer := least(lexical_claims.k, 100) + 20;
    v_hits taisce.word_hit[];
    v_found memory_v1.lexical_claim[];
begin
    perform taisce.check_search(
        lexical_claims.query, lexical_claims.k, 'k', 100, lexical_claims.data_subject_id,
        lexical_claims.source_roles);
    v_project_id := taisce.resolve_project(lexical_claims.project, 'read');
    select p.name, coalesce(lexical_claims.source_roles, p.default_source_roles)
    into v_project, v_roles
    from taisce.project as p
    where p.project_id = v_project_id;
    if lexical_claims.entity_ids is not null then
        v_numbers := taisce.scope_numbers(
            v_project_id, 'claim',
            taisce.checked_entities(v_project_id, lexical_claims.entity_ids, 20));
    end if;
    v_words := taisce.word_query(v_project_id, 'claim', lexical_claims.query);

    -- What the live tables refuse makes room for more, a few times over.
    loop
        v_hits := array(
            select h
            from taisce.word_candidates(
                v_project_id, 'claim', v_words, v_roles, v_most, 500,
                lexical_claims.data_subject_id, v_numbers) as h
        );
        v_found := array(
            select row(
                v_project,
                c.claim_id,
                m.passage_id,
                c.observation_id,
                c.ordinal,
                c.role,
                c.claim_text,
                c.quote,
                c.asserted_at,
                h.score,
                h.complete
            )::memory_v1.lexical_claim
            from unnest(v_hits) with ordinality as h (number, item_id, score, complete, place)
            cross join lateral (
                select i.*
                from taisce.claim as i
                where i.project_id = v_project_id
                  and i.claim_id between h.item_id and h.item_id
                  and i.is_current_testimony
                  and i.role = any (v_roles)
                  and i.retention_until > v_now
                  and (lexical_claims.data_subject_id is null
                    or i.data_subject_id = lexical_claims.data_subject_id)
                order by i.claim_id
                limit 1
            ) as c
            cross join lateral (
                select i.passage_id
                from taisce.message as i
                where i.project_id = v_project_id
                  and i.observation_id between c.observation_id and c.observation_id
                  and i.ordinal = c.ordinal
                order by i.observation_id, i.ordinal
                limit 1
            ) as m
            order by h.place
            limit lexical_claims.k
        );
        exit when cardinality(v_found) >= lexical_claims.k or cardinality(v_hits) < v_most
            or v_most >= 2000;
        v_most := v_most * 4;
    end loop;
    return query select f.* from unnest(v_found) as f;
end
$func$;
comment on function memory_v1.lexical_claims(text, integer, text, text, text[], uuid[]) is
'Claims that answer a query best by their words, any of which counts.';
revoke all on function memory_v1.lexical_claims(text, integer, text, text, text[], uuid[])
from public;
grant execute on function memory_v1.lexical_claims(text, integer, text, text, text[], uuid[])
to taisce_reader, taisce_analyst;
