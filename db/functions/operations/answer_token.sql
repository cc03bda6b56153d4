-- requires: operations/operation_types.sql
-- taisce.answer_token(answer, kept, kept_passages)
-- Where an answer goes on after its first `kept` facts or claims (and passages).
-- Returns: one text, null if nothing that is held is left.   Runs as: invoker.   Since: 0.1

create or replace function taisce.answer_token(
    answer taisce.operation_answer,
    kept integer,
    kept_passages integer default 0
)
returns text
language plpgsql
stable
parallel safe
as $func$
declare
    v_near constant integer :=
        coalesce(answer_token.answer.near, 0)
        + case when answer_token.answer.whole then 128 else 0 end;
    v_shown uuid[];
    v_rest taisce.pooled[];
begin
    if answer_token.answer.digest is null then
        return null;
    end if;
    if cardinality(answer_token.answer.facts) > 0 or not exists (
        select from unnest(answer_token.answer.testimony)
    ) then
        v_shown := array(
            select f.fact_id from unnest(answer_token.answer.facts[:answer_token.kept]) as f
        );
        v_rest := array(
            select p
            from (
                select i.*, bool_or(i.item_id = any (v_shown)) over (
                    order by i.place rows between current row and unbounded following
                ) as before
                from unnest(answer_token.answer.pool) with ordinality
                    as i (item_id, score, touches, hops, why, fate, place)
            ) as q
            cross join lateral (
                select row(q.item_id, q.score, q.touches, q.hops, q.why, q.fate)::taisce.pooled as p
            ) as r
            where not coalesce(q.before, false)
            order by q.place
        );
        if not exists (select from unnest(v_rest) as r where r.fate <> 'gone') then
            return null;
        end if;
        return taisce.write_page_token(
            'F', (answer_token.answer.asked).evaluated_at, answer_token.answer.digest, v_near,
            answer_token.answer.neighbour_ids, v_rest, '{}');
    end if;
    v_shown := array(
        select g.id
        from unnest(answer_token.answer.testimony) with ordinality as t
        cross join lateral unnest(t.grouped_claim_ids) as g (id)
        where t.grain = 'claim'
          and t.ordinality <= answer_token.kept
    );
    v_rest := array(
        select p
        from unnest(answer_token.answer.pool) with ordinality
            as q (item_id, score, touches, hops, why, fate, place)
        cross join lateral (
            select row(q.item_id, q.score, q.touches, q.hops, q.why, q.fate)::taisce.pooled as p
        ) as r
        where q.item_id <> all (v_shown)
        order by q.place
    );
    return taisce.write_page_token(
        'T', (answer_token.answer.asked).evaluated_at, answer_token.answer.digest, v_near, '{}',
        v_rest, answer_token.answer.second_pool[answer_token.kept_passages + 1:]);
end
$func$;
comment on function taisce.answer_token(taisce.operation_answer, integer, integer) is
'Where an answer goes on after what is shown of it.';
revoke all on function taisce.answer_token(taisce.operation_answer, integer, integer) from public;
