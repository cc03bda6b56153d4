-- taisce.advance_formed(project_id)
-- Brings the freshness numbers up to date: the highest offset below which all is formed or parked.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.advance_formed(project_id bigint)
returns void
language sql
volatile
as $func$
    update taisce.project_clock as c
    set formed = f.formed
    from (
        select coalesce((
            select o.log_offset - 1
            from taisce.observation as o
            where o.project_id = advance_formed.project_id
              and o.formed_at is null
              and o.parked_at is null
              and not o.erased
            order by o.log_offset
            limit 1
        ), (
            select k.stored
            from taisce.project_clock as k
            where k.project_id = advance_formed.project_id
        )) as formed
    ) as f
    where c.project_id = advance_formed.project_id
      and c.formed <> f.formed
$func$;
comment on function taisce.advance_formed(bigint) is
'Brings the count of formed offsets of a project up to date.';
revoke all on function taisce.advance_formed(bigint) from public;
