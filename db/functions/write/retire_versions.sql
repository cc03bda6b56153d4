-- taisce.retire_versions(project_id, max_versions, batch)
-- Moves versions that have ended out of the indexes of current reads, in batches. One that a read
-- with a clock running behind may still take for current stays a little longer.
-- Returns: how many.   Runs as: invoker.   Since: 0.1

create or replace function taisce.retire_versions(
    project_id bigint,
    max_versions integer,
    batch integer default 500
)
returns bigint
language plpgsql
volatile
as $func$
declare
    v_before constant timestamptz :=
        pg_catalog.clock_timestamp() - taisce.setting_interval('clock_skew');
    v_rows bigint;
    v_retired bigint := 0;
begin
    loop
        update taisce.fact_version as v
        set live = false
        where v.project_id + 0 = retire_versions.project_id
          and v.ctid = any (array(
            select o.ctid
            from taisce.fact_version as o
            where o.project_id = retire_versions.project_id
              and o.live
              and o.valid_to < 'infinity'
              and o.valid_to <= v_before
            order by o.valid_to
            limit least(retire_versions.batch, retire_versions.max_versions - v_retired)
            for update skip locked
        ));
        get diagnostics v_rows = row_count;
        v_retired := v_retired + v_rows;
        exit when v_rows = 0 or v_retired >= retire_versions.max_versions;
    end loop;
    return v_retired;
end
$func$;
comment on function taisce.retire_versions(bigint, integer, integer) is
'Moves versions that have ended out of the indexes of current reads.';
revoke all on function taisce.retire_versions(bigint, integer, integer) from public;
