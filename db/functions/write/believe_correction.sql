-- taisce.believe_correction(project_id, old, new, closed, on_conflict)
-- Makes one event of a retraction at the stamp closed and the assertion after it: the one belief
-- ends when the other begins, and both say so. A correction that is not believed, since it was
-- retracted once, is believed again. The clock must be held.
-- Returns: nothing.   Raises: TS006.   Runs as: invoker.   Since: 0.1

create or replace function taisce.believe_correction(
    project_id bigint,
    old uuid,
    new uuid,
    closed timestamptz,
    on_conflict text
)
returns void
language plpgsql
volatile
as $func$
declare
    v_opened taisce.fact_version;
    v_placed taisce.placement;
    v_at timestamptz;
begin
    if not exists (
        select
        from taisce.fact_version as v
        where v.project_id = believe_correction.project_id
          and v.fact_id = believe_correction.new
          and v.known_to = 'infinity'
    ) then
        v_placed := taisce.place_version(
            believe_correction.project_id, believe_correction.new,
            taisce.take_stamp(believe_correction.project_id), believe_correction.on_conflict,
            'corrected', null);
        if v_placed.fault is not null then
            perform taisce.refuse_argument('valid_from',
                'another value holds at a time this one would cover', 'TS006');
        end if;
        update taisce.fact as f
        set retracted_at = null,
            retraction_reason = null
        where f.project_id = believe_correction.project_id
          and f.fact_id = believe_correction.new;
    end if;

    update taisce.fact_version as v
    set cause = 'corrected'
    where v.project_id = believe_correction.project_id
      and v.fact_id = believe_correction.new
      and v.known_from > believe_correction.closed
    returning v.* into v_opened;
    v_at := coalesce(v_opened.known_from, believe_correction.closed);
    update taisce.fact_version as v
    set known_to = v_at,
        closed_cause = 'corrected',
        closed_by = v_opened.caused_by
    where v.project_id = believe_correction.project_id
      and v.fact_id = believe_correction.old
      and v.known_to = believe_correction.closed;
    update taisce.fact as f
    set retracted_at = v_at,
        superseded_by = believe_correction.new,
        supersession_source = v_opened.caused_by
    where f.project_id = believe_correction.project_id
      and f.fact_id = believe_correction.old;
end
$func$;
comment on function taisce.believe_correction(bigint, uuid, uuid, timestamptz, text) is
'Makes one event of a retraction and the assertion that takes its place.';
revoke all on function taisce.believe_correction(bigint, uuid, uuid, timestamptz, text)
from public;
