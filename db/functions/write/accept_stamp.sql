-- taisce.accept_stamp(project_id, stamp)
-- Lets the clock of a project run on to a stamp that an administrator gave, so that later ones
-- follow it. One already passed changes nothing.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.accept_stamp(project_id bigint, stamp timestamptz)
returns void
language sql
volatile
as $func$
    update taisce.project_clock as c
    set last_stamp = accept_stamp.stamp
    where c.project_id = accept_stamp.project_id
      and c.last_stamp < accept_stamp.stamp
$func$;
comment on function taisce.accept_stamp(bigint, timestamptz) is
'Lets the clock of a project run on to a stamp that was given.';
revoke all on function taisce.accept_stamp(bigint, timestamptz) from public;
