-- taisce.claim_key(project_id, observation_id, ordinal, byte_start, byte_end, claim_text)
-- The id of a claim follows from the span and from what it is said to say. The observation stands
-- for the project too, so that claims of a restored project are found again.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.claim_key(
    project_id bigint,
    observation_id uuid,
    ordinal integer,
    byte_start integer,
    byte_end integer,
    claim_text text
)
returns uuid
language sql
stable
parallel safe
as $func$
    select taisce.make_id('claim', 0, pg_catalog.concat_ws(E'\x1f',
        claim_key.observation_id, claim_key.ordinal, claim_key.byte_start, claim_key.byte_end,
        claim_key.claim_text))
$func$;
comment on function taisce.claim_key(bigint, uuid, integer, integer, integer, text) is
'The id of a claim, from its span and its text.';
revoke all on function taisce.claim_key(bigint, uuid, integer, integer, integer, text)
from public;
