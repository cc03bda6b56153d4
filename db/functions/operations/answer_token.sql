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
    v_last uuid;
    v_shown uuid[];
    v_rest taisce.pooled[];
begin
    if answer_token.answer.digest is null then
        return null;
    end if;
    if cardinality(answer_token.answer.facts) > 0
        or cardinality(answer_token.answer.testimony) = 0
    then
        if answer_token.kept > 0 and cardinality(answer_token.answer.facts) > 0 then
            v_last := (answer_token.answer.facts[
                least(answer_token.kept, cardinality(answer_token.answer.facts))]).fact_id;
        end if;
        v_rest := answer_token.answer.pool[coalesce((
            select max(i.place)
            from unnest(answer_token.answer.pool) with ordinality
                as i (item_id, score, touches, hops, why, fate, place)
            where i.item_id = v_last
        ), 0) + 1:];
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
        select q
        from unnest(answer_token.answer.pool) as q
        where q.item_id <> all (v_shown)
    );
    return taisce.write_page_token(
        'T', (answer_token.answer.asked).evaluated_at, answer_token.answer.digest, v_near, '{}',
        v_rest, answer_token.answer.second_pool[answer_token.kept_passages + 1:]);
end
$func$;
comment on function taisce.answer_token(taisce.operation_answer, integer, integer) is
'Where an answer goes on after what is shown of it.';
revoke all on function taisce.answer_token(taisce.operation_answer, integer, integer) from public;
