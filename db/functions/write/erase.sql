-- taisce.erase(project_id, observation_ids)
-- Erases observations with all that rests on them alone, and leaves empty tombstones that keep
-- their offsets. The clock must be held. Raises if anything that mentions them is left.
-- Returns: counts of rows by table.   Runs as: invoker.   Since: 0.1

create or replace function taisce.erase(project_id bigint, observation_ids uuid[])
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := erase.project_id;
    v_ids constant uuid[] := erase.observation_ids;
    v_passages uuid[];
    v_claims uuid[];
    v_facts uuid[];
    v_lost uuid[];
    v_names jsonb;
    v_merges jsonb;
    v_entities uuid[];
    v_renamed uuid[];
    v_stale uuid[];
    v_counts jsonb := '{}';
    v_rows bigint;
begin
    if cardinality(v_ids) = 0 then
        return v_counts;
    end if;
    v_passages := array(
        select m.passage_id
        from taisce.message as m
        where m.project_id = v_project_id
          and m.observation_id = any (v_ids)
    );
    v_claims := array(
        select c.claim_id
        from taisce.claim as c
        where c.project_id = v_project_id
          and c.observation_id = any (v_ids)
    );

    with gone as (
        delete from taisce.fact_evidence as e
        where e.project_id = v_project_id
          and e.claim_id = any (v_claims)
        returning e.fact_id
    )
    select coalesce(array_agg(distinct g.fact_id), '{}'), count(*)
    into v_facts, v_rows
    from gone as g;
    v_counts := v_counts || jsonb_build_object('fact_evidence', v_rows);
    v_lost := array(
        select f.fact_id
        from unnest(v_facts) as f (fact_id)
        where taisce.first_support(v_project_id, f.fact_id) is null
    );

    -- Before the facts, whose feedback and reports they are.
    v_counts := taisce.add_counts(v_counts, taisce.erase_compiled(v_project_id, v_ids, v_facts));
    v_counts := taisce.add_counts(v_counts, taisce.count_words(
        v_project_id, v_passages, v_claims, v_lost));

    delete from taisce.entity_mention as m
    where m.project_id = v_project_id
      and m.observation_id = any (v_ids);
    get diagnostics v_rows = row_count;
    v_counts := v_counts || jsonb_build_object('entity_mention', v_rows);
    delete from taisce.claim as c
    where c.project_id = v_project_id
      and c.observation_id = any (v_ids);
    get diagnostics v_rows = row_count;
    v_counts := v_counts || jsonb_build_object('claim', v_rows);
    delete from taisce.message as m
    where m.project_id = v_project_id
      and m.observation_id = any (v_ids);
    get diagnostics v_rows = row_count;
    v_counts := v_counts || jsonb_build_object('message', v_rows);

    v_counts := taisce.add_counts(
        v_counts, taisce.erase_facts(v_project_id, v_lost, v_ids));
    perform taisce.renew_retention(v_project_id, v_facts);

    v_names := taisce.erase_names(v_project_id, v_ids);
    v_merges := taisce.clean_merges(v_project_id, v_ids, v_lost);
    v_counts := taisce.add_counts(v_counts, v_names -> 'counts');
    v_counts := taisce.add_counts(v_counts, v_merges -> 'counts');
    v_entities := array(select e::uuid from jsonb_array_elements_text(v_names -> 'entities') as e);
    v_renamed := array(select e::uuid from jsonb_array_elements_text(v_names -> 'renamed') as e);

    -- A vector holds what the text it was made of said: names are part of those of facts.
    v_stale := v_passages || v_claims || v_facts || v_entities || array(
        select e::uuid from jsonb_array_elements_text(v_merges -> 'entities') as e
    ) || array(
        select n.fact_id
        from unnest(v_renamed) as r (entity_id)
        cross join lateral unnest(
            taisce.facts_naming(v_project_id, r.entity_id, 'subject')
            || taisce.facts_naming(v_project_id, r.entity_id, 'object')) as n (fact_id)
    );
    delete from taisce.embedding as e
    where e.project_id = v_project_id
      and e.item_id = any (v_stale);
    get diagnostics v_rows = row_count;
    v_counts := taisce.add_counts(v_counts, jsonb_build_object('embedding', v_rows));

    delete from taisce.load_key as k
    where k.project_id = v_project_id
      and k.id = any (v_ids || v_claims || v_lost || array(
        select e::uuid
        from jsonb_array_elements_text((v_names -> 'renamed') || (v_merges -> 'entities')) as e));
    get diagnostics v_rows = row_count;
    v_counts := v_counts || jsonb_build_object('load_key', v_rows);

    v_counts := v_counts || jsonb_build_object(
        'observation', taisce.leave_tombstones(v_project_id, v_ids));
    perform taisce.prove_erased(v_project_id, v_ids, v_passages, v_claims, v_lost);
    return v_counts;
end
$func$;
comment on function taisce.erase(bigint, uuid[]) is
'Erases observations with all that rests on them alone; the clock must be held.';
revoke all on function taisce.erase(bigint, uuid[]) from public;
