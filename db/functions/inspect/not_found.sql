-- taisce.not_found()
-- Refuses an id, in the same words whether it is unknown, erased, expired or somebody else's.
-- Raises: TS004.   Runs as: invoker.   Since: 0.1

create or replace function taisce.not_found()
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    raise exception using
        errcode = 'TS004',
        message = 'not_found',
        detail = 'nothing of that id is in the project',
        hint = 'It may have been erased or have expired; look it up anew.';
end
$func$;
comment on function taisce.not_found() is
'Refuses an id, whether it is unknown, erased, expired or somebody else''s.';
revoke all on function taisce.not_found() from public;
