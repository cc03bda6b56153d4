-- taisce.make_id(kind, project_id, natural_key)
-- A uuid (version 8) that follows from what it names, so that a retried input meets itself.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.make_id(kind text, project_id bigint, natural_key text)
returns uuid
language sql
stable
parallel safe
as $func$
    select pg_catalog.encode(
        pg_catalog.set_byte(
            pg_catalog.set_byte(d.digest, 6, pg_catalog.get_byte(d.digest, 6) & 15 | 128),
            8,
            pg_catalog.get_byte(d.digest, 8) & 63 | 128),
        'hex')::pg_catalog.uuid
    from (
        select pg_catalog.substr(pg_catalog.sha256(pg_catalog.convert_to(
            make_id.kind || E'\x1f' || make_id.project_id || E'\x1f' || make_id.natural_key,
            'UTF8')), 1, 16) as digest
    ) as d
$func$;
comment on function taisce.make_id(text, bigint, text) is
'A uuid that follows from (kind, project, natural key): a retried input meets itself.';
revoke all on function taisce.make_id(text, bigint, text) from public;
