-- taisce.make_fact_id(log_offset, content_key)
-- 48 bits of the offset of a fact's first evidence, then its content key: the order of fact ids is
-- the order of being told.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.make_fact_id(log_offset bigint, content_key uuid)
returns uuid
language sql
immutable
parallel safe
as $func$
    select (
        pg_catalog.lpad(pg_catalog.to_hex(make_fact_id.log_offset), 12, '0')
        || pg_catalog.substr(pg_catalog.replace(make_fact_id.content_key::text, '-', ''), 13)
    )::pg_catalog.uuid
$func$;
comment on function taisce.make_fact_id(bigint, uuid) is
'A fact id: 48 bits of the offset of its first evidence, then its content key.';
revoke all on function taisce.make_fact_id(bigint, uuid) from public;
