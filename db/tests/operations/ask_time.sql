-- taisce.ask_time: the instants that versions are compared with, by the mode that is asked for.
begin;
select plan(23);

-- Given: a skew of one hour; all is asked on 2024-03-10 at noon.
select memory_v1.create_project('north');
update taisce.project_clock set last_stamp = '2024-03-08Z';
update taisce.setting set value = '1 hour' where name = 'clock_skew';
\set tick '''0.000001 s''::interval'
create function pg_temp.asked(given jsonb) returns taisce.asked_time language plpgsql as $$
declare
    v_asked taisce.asked_time := taisce.check_time(given, null);
begin
    v_asked.evaluated_at := '2024-03-10 12:00Z';
    return taisce.ask_time((select p.project_id from taisce.project as p), v_asked);
end $$;
-- Whether a version that holds from one instant until before another is asked for.
create function pg_temp.holds(
    given jsonb, held timestamptz, ended timestamptz, replaced boolean default false
) returns boolean language sql as $$
    select held <= s.valid_from_max
       and ended >= case when replaced then s.replaced_to_min else s.valid_to_min end
    from (select (pg_temp.asked(given)).scope as scope) as a, lateral (select (a.scope).*) as s
$$;
\set now '''{"mode": "current"}'', '
\set at '''{"mode": "at", "at": "2024-03-05T00:00:00Z"}'', '
\set over '''{"mode": "overlap", "from": "2024-03-05T00:00:00Z", "to": "2024-03-07T00:00:00Z"}'', '
\set ever '''{"mode": "history"}'', '
\set known '''{"mode": "history", "believed_at": "2024-03-05T00:00:00Z"}'', '
\set noon '''2024-03-10 12:00Z''::timestamptz'
\set fifth '''2024-03-05Z''::timestamptz'
\set seventh '''2024-03-07Z''::timestamptz'

-- Result: now
select is(pg_temp.holds(:now '-infinity', :noon), false, 'what ends now holds no more');
select is(pg_temp.holds(:now '-infinity', :noon + :tick), true, 'what ends later does');
select is(pg_temp.holds(:now :noon + '1 hour', 'infinity'), true, 'what begins within the skew does');
select is(pg_temp.holds(:now :noon + '1 hour' + :tick, 'infinity'), false, 'not what begins later');
select is(
    pg_temp.holds(:now '-infinity', :noon + '1 hour', true), false,
    'what was replaced holds until the skew before its end, when the next begins to');
select is(pg_temp.holds(:now '-infinity', :noon + '1 hour' + :tick, true), true, 'and until then');
select is(
    (pg_temp.asked('{"mode": "current"}')).evaluated_at, :noon,
    'the instant it was first asked at is kept');

-- Result: at an instant
select is(pg_temp.holds(:at :fifth, 'infinity'), true, 'what begins at the instant holds');
select is(pg_temp.holds(:at :fifth + :tick, 'infinity'), false, 'not what begins after it');
select is(pg_temp.holds(:at '-infinity', :fifth), false, 'nor what ends at it');
select is(pg_temp.holds(:at '-infinity', :fifth + :tick), true, 'but what ends after it');

-- Result: over an interval
select is(pg_temp.holds(:over :seventh, 'infinity'), true, 'what begins at its end holds in it');
select is(pg_temp.holds(:over :seventh + :tick, 'infinity'), false, 'not what begins after it');
select is(pg_temp.holds(:over '-infinity', :fifth), false, 'nor what ended when it began');
select is(pg_temp.holds(:over '-infinity', :fifth + :tick), true, 'but what ended in it');
select is(
    pg_temp.holds(:over '-infinity', :fifth + :tick, true), true, 'replaced or not');
select is(pg_temp.holds(:over :fifth + '1 day', :fifth + '25 hours'), true, 'or was all within it');

-- Result: ever before
select is(pg_temp.holds(:ever '1900-01-01Z', '1900-01-02Z'), true, 'what ended long ago was');
select is(pg_temp.holds(:ever '1900-01-01Z', '1900-01-02Z', true), true, 'replaced or not');
select is(pg_temp.holds(:ever :noon, 'infinity'), true, 'what begins now is history');
select is(pg_temp.holds(:ever :noon + :tick, 'infinity'), false, 'what is to come is not');
select is(pg_temp.holds(:known :fifth, 'infinity'), true, 'by what was believed, until then');
select is(pg_temp.holds(:known :fifth + :tick, 'infinity'), false, 'and no further');

select * from finish();
rollback;
