-- taisce.keyed_id(project_id, kind, reference)
-- What a line means by a key or an id: a claim, a fact or a community.
-- Returns: one uuid, null if there is none.   Runs as: invoker.   Since: 0.1

create or replace function taisce.keyed_id(project_id bigint, kind text, reference jsonb)
returns uuid
language sql
stable
as $func$
    select case
        when reference ->> 'id' is null then (
            select k.id
            from taisce.load_key as k
            where k.project_id = keyed_id.project_id
              and k.kind = keyed_id.kind
              and k.key = coalesce(reference ->> 'key', reference #>> '{}')
        )
        when keyed_id.kind = 'claim' then (
            select c.claim_id
            from taisce.claim as c
            where c.project_id = keyed_id.project_id
              and c.claim_id = (reference ->> 'id')::uuid
        )
        when keyed_id.kind = 'fact' then (
            select f.fact_id
            from taisce.fact as f
            where f.project_id = keyed_id.project_id
              and f.fact_id = (reference ->> 'id')::uuid
        )
        when keyed_id.kind = 'community' then (
            select c.community_id
            from taisce.community as c
            where c.project_id = keyed_id.project_id
              and c.community_id = (reference ->> 'id')::uuid
        )
    end
$func$;
comment on function taisce.keyed_id(bigint, text, jsonb) is
'What a line means by a key or an id: a claim, a fact or a community.';
revoke all on function taisce.keyed_id(bigint, text, jsonb) from public;
