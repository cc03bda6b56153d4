-- taisce.make_id(kind, project_id, natural_key)
-- A uuid (version 8) that follows from what it names, so that a retried input meets itself.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.make_id(kind text, project_id bigint, natural_key text)
returns uuid
language sql
stable
parallel safe
as $func$
    -- Version 8 and the variant are set bit by bit, in one expression, so that the call inlines.
    select pg_catalog.encode(
        pg_catalog.set_bit(pg_catalog.set_bit(pg_catalog.set_bit(
            pg_catalog.set_bit(pg_catalog.set_bit(pg_catalog.set_bit(
                pg_catalog.substr(pg_catalog.sha256(pg_catalog.convert_to(
                    make_id.kind || E'\x1f' || make_id.project_id || E'\x1f' || make_id.natural_key,
                    'UTF8')), 1, 16),
                55, 1), 54, 0), 53, 0),
            52, 0), 71, 1), 70, 0),
        'hex')::pg_catalog.uuid
$func$;
comment on function taisce.make_id(text, bigint, text) is
'A uuid that follows from (kind, project, natural key): a retried input meets itself.';
revoke all on function taisce.make_id(text, bigint, text) from public;
