-- requires: time/time_scope.sql
-- requires: search/word_candidates.sql
-- taisce.operation_types(): the row types that the operations give and pass on.
-- Row types of memory_v1 never change: a richer row is a new function.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.entity_candidate') is null then
        create type memory_v1.entity_candidate as (
            entity_id uuid,
            canonical_name text,
            entity_type text,
            matched_as text,
            spelling text,
            fact_count bigint,
            truncated boolean,
            evaluated_at timestamptz,
            dropped integer,
            continuation text
        );
        comment on type memory_v1.entity_candidate is 'An entity that a name leads to.';
    end if;
    if to_regtype('memory_v1.fact_item') is null then
        create type memory_v1.fact_item as (
            fact_kind text,
            fact_id uuid,
            label text,
            subject text,
            subject_id uuid,
            predicate text,
            object text,
            object_id uuid,
            value text,
            statement text,
            valid_from timestamptz,
            valid_until timestamptz,
            known_from timestamptz,
            known_until timestamptz,
            evidence_count integer,
            contradict_count integer,
            contradiction jsonb,
            support text,
            source_role text,
            hops integer,
            score numeric,
            evidence jsonb,
            evidence_totals jsonb,
            truncated boolean,
            evaluated_at timestamptz,
            dropped integer,
            continuation text
        );
        comment on type memory_v1.fact_item is
        'A fact of an operation, with its evidence and the other sides of its contradiction.';
    end if;
    if to_regtype('memory_v1.testimony_item') is null then
        create type memory_v1.testimony_item as (
            grain text,
            claim_id uuid,
            observation_id uuid,
            ordinal integer,
            passage_id uuid,
            claim_text text,
            quote text,
            byte_start integer,
            byte_end integer,
            context text,
            context_start integer,
            context_complete boolean,
            role text,
            asserted_at timestamptz,
            claim_valid_from timestamptz,
            claim_valid_until timestamptz,
            claim_valid_precision text,
            is_current_testimony boolean,
            title text,
            source_kind text,
            lineage text,
            corroboration_count integer,
            grouped_claim_ids uuid[],
            content text,
            occurred_at timestamptz,
            log_offset bigint,
            score numeric,
            why text,
            truncated boolean,
            evaluated_at timestamptz,
            dropped integer,
            continuation text
        );
        comment on type memory_v1.testimony_item is
        'A claim or a passage of an operation: testimony, never a fact.';
    end if;
    if to_regtype('taisce.asked_time') is null then
        create type taisce.asked_time as (
            mode text,
            at timestamptz,
            from_at timestamptz,
            to_at timestamptz,
            believed_at timestamptz,
            identity_regime text,
            evaluated_at timestamptz,
            scope taisce.time_scope
        );
        -- An item of a candidate pool. fate: kept, gone (refused by the live tables), or open (not
        -- looked at yet).
        create type taisce.pooled as (
            item_id uuid,
            score double precision,
            touches integer,
            hops integer,
            why text,
            fate text
        );
        create type taisce.fact_pool as (
            items taisce.pooled[],
            exact boolean,
            found integer,
            of_subject integer,
            of_role integer,
            of_predicate integer,
            in_time integer
        );
        create type taisce.page_token as (
            evaluated_at timestamptz,
            near integer,
            entities uuid[],
            first_list taisce.pooled[],
            second_list taisce.pooled[]
        );
    end if;
    if to_regtype('taisce.operation_answer') is null then
        -- What an operation found, before it becomes rows or an envelope. *_pool: what may follow;
        -- whole: nothing was left unread when they were nominated.
        create type taisce.operation_answer as (
            asked taisce.asked_time,
            entities jsonb,
            anchor_ids uuid[],
            neighbour_ids uuid[],
            near integer,
            scope_truncated boolean,
            negative jsonb,
            degraded text[],
            searched text,
            dropped integer,
            truncated boolean,
            total integer,
            exact boolean,
            facts memory_v1.fact_item[],
            testimony memory_v1.testimony_item[],
            pool taisce.pooled[],
            second_pool taisce.pooled[],
            digest bytea,
            whole boolean
        );
    end if;
end
$do$;

create or replace function taisce.operation_types()
returns void
language sql
immutable
as $func$
$func$;
comment on function taisce.operation_types() is 'Stands for the row types of the operations.';
revoke all on function taisce.operation_types() from public;
