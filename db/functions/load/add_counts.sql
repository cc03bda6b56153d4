-- taisce.add_counts(counts, more)
-- Returns: the sums of two objects of numbers.   Runs as: invoker.   Since: 0.1

create or replace function taisce.add_counts(counts jsonb, more jsonb)
returns jsonb
language sql
immutable
parallel safe
as $func$
    select add_counts.counts || coalesce((
        select jsonb_object_agg(
            m.key, m.value::bigint + coalesce((add_counts.counts ->> m.key)::bigint, 0))
        from jsonb_each_text(add_counts.more) as m
    ), '{}')
$func$;
comment on function taisce.add_counts(jsonb, jsonb) is 'The sums of two objects of numbers.';
revoke all on function taisce.add_counts(jsonb, jsonb) from public;
