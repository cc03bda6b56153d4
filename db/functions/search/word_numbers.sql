-- taisce.message_number(log_offset, ordinal), taisce.item_number(item_id)
-- The numbers that stand for texts in postings, below 2^55: messages in the order they were told;
-- of other texts a part of their id (two may share one: the id beside it in word_document decides).
-- Returns: one bigint.   Runs as: invoker.   Since: 0.1

create or replace function taisce.message_number(log_offset bigint, ordinal integer)
returns bigint
language sql
immutable
parallel safe
as $func$
    select ((log_offset << 16) | (ordinal & 65535)) & 36028797018963967
$func$;
comment on function taisce.message_number(bigint, integer) is
'The number of a message in postings: in the order of being told.';
revoke all on function taisce.message_number(bigint, integer) from public;

create or replace function taisce.item_number(item_id uuid)
returns bigint
language sql
immutable
parallel safe
as $func$
    select ('x' || translate(right(item_id::text, 17), '-', ''))::bit(64)::bigint & 36028797018963967
$func$;
comment on function taisce.item_number(uuid) is
'The number of a claim, fact or entity in postings: a part of its id.';
revoke all on function taisce.item_number(uuid) from public;
