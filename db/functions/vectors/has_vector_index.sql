-- taisce.has_vector_index(generation_id)
-- Whether a generation has a partition with an approximate index that may be used.
-- Returns: one boolean.   Runs as: invoker.   Since: 0.1

create or replace function taisce.has_vector_index(generation_id bigint)
returns boolean
language sql
stable
parallel safe
as $func$
    select exists (
        select
        from pg_catalog.pg_index as i
        where i.indexrelid = pg_catalog.to_regclass(
                'taisce.embedding_' || has_vector_index.generation_id || '_near')
          and i.indisvalid
    )
$func$;
comment on function taisce.has_vector_index(bigint) is
'Whether a generation has a partition with an approximate index that may be used.';
revoke all on function taisce.has_vector_index(bigint) from public;
