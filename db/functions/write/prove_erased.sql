-- taisce.prove_erased(project_id, observation_ids, passage_ids, claim_ids, fact_ids)
-- Looks for what was erased in every column of the erasure registry in which an id may stand, in
-- the index of words and in the records of merges.
-- Returns: nothing.   Raises: XX000 if something is left; the erasure is undone then.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.prove_erased(
    project_id bigint,
    observation_ids uuid[],
    passage_ids uuid[],
    claim_ids uuid[],
    fact_ids uuid[]
)
returns void
language plpgsql
volatile
as $func$
declare
    v_ids constant uuid[] := prove_erased.observation_ids || prove_erased.passage_ids
        || prove_erased.claim_ids || prove_erased.fact_ids;
    v_place record;
    v_left text;
    v_found boolean;
begin
    for v_place in
        select r.table_name, c.name
        from taisce.erasure_registry as r
        cross join lateral unnest(r.id_columns) as c (name)
        order by r.table_name, c.name
    loop
        execute format(
            'select true from taisce.%I as t where t.project_id = $1 and t.%I = any ($2) limit 1',
            v_place.table_name, v_place.name)
        into v_found
        using prove_erased.project_id, v_ids;
        if v_found then
            v_left := v_place.table_name || '.' || v_place.name;
        end if;
    end loop;

    if (taisce.count_words(
        prove_erased.project_id, prove_erased.passage_ids, prove_erased.claim_ids,
        prove_erased.fact_ids) ->> 'word_document')::bigint > 0
    then
        v_left := 'word_document.item_id';
    end if;
    if exists (
        select
        from taisce.entity_merge as m
        cross join lateral regexp_matches(
            m.snapshot::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as i (found)
        where m.project_id = prove_erased.project_id
          and i.found[1]::uuid = any (prove_erased.observation_ids || prove_erased.fact_ids)
    ) then
        v_left := 'entity_merge.snapshot';
    end if;
    if v_left is not null then
        raise exception using
            errcode = 'internal_error',
            message = 'the erasure is not complete, and was undone',
            detail = v_left || ' still names what was to be erased',
            hint = 'Report this with the version of taisce-pg.';
    end if;
end
$func$;
comment on function taisce.prove_erased(bigint, uuid[], uuid[], uuid[], uuid[]) is
'Looks for what was erased wherever its id may stand.';
revoke all on function taisce.prove_erased(bigint, uuid[], uuid[], uuid[], uuid[]) from public;
