-- taisce.believe_correction(project_id, old, new, closed, on_conflict)
-- Makes one event of a retraction at the stamp closed and the assertion after it: the one belief
-- ends when the other begins, and both say so. A correction that is not believed, since it was
-- retracted once, is believed again. The clock must be held. Rows are found by place, as in
-- cut_versions.
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
set plan_cache_mode = force_generic_plan
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_opened taisce.fact_version;
    v_placed taisce.placement;
    v_at timestamptz;
begin
    if not taisce.is_believed(believe_correction.project_id, believe_correction.new) then
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
        where f.project_id + 0 = believe_correction.project_id
          and f.ctid = any (array(
            select i.ctid
            from taisce.fact as i
            where i.project_id = believe_correction.project_id
              and i.fact_id between believe_correction.new and believe_correction.new
            order by i.fact_id
          ));
    end if;

    update taisce.fact_version as v
    set cause = 'corrected'
    where v.project_id + 0 = believe_correction.project_id
      and v.ctid = any (array(
        select i.ctid
        from taisce.fact_version as i
        where i.project_id = believe_correction.project_id
          and i.fact_id between believe_correction.new and believe_correction.new
          and i.known_from > believe_correction.closed
        order by i.fact_id, i.known_from
      ))
    returning v.* into v_opened;
    v_at := coalesce(v_opened.known_from, believe_correction.closed);
    update taisce.fact_version as v
    set known_to = v_at,
        closed_cause = 'corrected',
        closed_by = v_opened.caused_by
    where v.project_id + 0 = believe_correction.project_id
      and v.ctid = any (array(
        select i.ctid
        from taisce.fact_version as i
        where i.project_id = believe_correction.project_id
          and i.fact_id between believe_correction.old and believe_correction.old
          and i.known_to = believe_correction.closed
        order by i.fact_id, i.known_from
      ));
    update taisce.fact as f
    set retracted_at = v_at,
        superseded_by = believe_correction.new,
        supersession_source = v_opened.caused_by
    where f.project_id + 0 = believe_correction.project_id
      and f.ctid = any (array(
        select i.ctid
        from taisce.fact as i
        where i.project_id = believe_correction.project_id
          and i.fact_id between believe_correction.old and believe_correction.old
        order by i.fact_id
      ));
end
$func$;
comment on function taisce.believe_correction(bigint, uuid, uuid, timestamptz, text) is
'Makes one event of a retraction and the assertion that takes its place.';
revoke all on function taisce.believe_correction(bigint, uuid, uuid, timestamptz, text)
from public;
