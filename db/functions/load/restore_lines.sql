-- taisce.restore_lines(project_id)
-- Puts the exact lines of this transaction's stage, which an export wrote, back as they were, ids
-- and stamps included, and takes them off the stage. What is stored already stays as it is.
-- Returns: counts of new rows, keyed like memory_v1.load_result.
-- Raises: TS008.   Runs as: invoker; load() has checked admin access.   Since: 0.1

create or replace function taisce.restore_lines(project_id bigint)
returns jsonb
language plpgsql
as $func$
#variable_conflict use_column
declare
    v_project_id bigint := restore_lines.project_id;
    v_counts jsonb;
    v_constraint text;
begin
    update taisce.project as p
    set
        default_source_roles = coalesce(
            (
                select array_agg(r.role order by r.ordinality)
                from jsonb_array_elements_text(nullif(s.body -> 'default_source_roles', 'null'))
                    with ordinality as r (role, ordinality)
            ),
            p.default_source_roles
        ),
        word_configuration = coalesce(s.body ->> 'word_configuration', p.word_configuration),
        reference_length = coalesce((s.body ->> 'reference_length')::real, p.reference_length)
    from memory_v1.load_stage as s
    where p.project_id = v_project_id
      and s.txid = pg_current_xact_id()
      and s.body ->> 'type' = 'project'
      and s.body ->> 'known_through' is not null;

    v_counts := taisce.restore_testimony(v_project_id)
        || taisce.restore_facts(v_project_id)
        || taisce.restore_compiled(v_project_id);

    update taisce.project_clock as c
    set
        last_stamp = greatest(c.last_stamp, (
            select max((s.body ->> 'known_through')::timestamptz)
            from memory_v1.load_stage as s
            where s.txid = pg_current_xact_id()
              and s.body ->> 'type' = 'project'
        )),
        stored = n.stored,
        formed = coalesce((
            select o.log_offset - 1
            from taisce.observation as o
            where o.project_id = v_project_id
              and o.formed_at is null
              and o.parked_at is null
              and not o.erased
            order by o.log_offset
            limit 1
        ), n.stored),
        parked = c.parked + n.parked
    from (
        select
            coalesce((
                select o.log_offset
                from taisce.observation as o
                where o.project_id = v_project_id
                order by o.log_offset desc
                limit 1
            ), 0) as stored,
            (v_counts ->> 'parked')::bigint as parked
    ) as n
    where c.project_id = v_project_id;

    delete from memory_v1.load_stage as s
    where s.txid = pg_current_xact_id()
      and (
        s.body ? 'id'
        or s.body ->> 'type' = 'mention'
        or (s.body ->> 'type' = 'project' and s.body ->> 'known_through' is not null)
      );
    return v_counts - 'parked';
exception
    when unique_violation then
        raise exception using
            errcode = 'TS008',
            message = 'invalid_load',
            detail = 'an exported line meets another row of the same offset, name or key',
            hint = 'Load an export into an empty project.';
    when foreign_key_violation or check_violation or not_null_violation then
        get stacked diagnostics v_constraint = constraint_name;
        raise exception using
            errcode = 'TS008',
            message = 'invalid_load',
            detail = format('an exported line does not fit: %s',
                coalesce(nullif(v_constraint, ''), 'a value is missing')),
            hint = 'Load the whole export as it was written, in its order.';
end
$func$;
comment on function taisce.restore_lines(bigint) is
'Puts exported lines of the stage back as they were, ids and stamps included.';
revoke all on function taisce.restore_lines(bigint) from public;
