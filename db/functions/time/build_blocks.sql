-- taisce.build_blocks(project_id, least_versions, block_facts)
-- Makes the blocks of a project anew, for every entity, direction, role and subject that has at
-- least so many versions in service, or past. A block holds block_facts facts, or the square root
-- of all if that is more, so that neither blocks nor what a block holds grow faster than that. The
-- project's clock must be held, so that no writer is missed.
-- Returns: the number of blocks.   Runs as: invoker.   Since: 0.1

create or replace function taisce.build_blocks(
    project_id bigint,
    least_versions integer default 512,
    block_facts integer default 128
)
returns bigint
language plpgsql
volatile
as $func$
declare
    v_blocks bigint;
begin
    delete from taisce.version_block as b
    where b.project_id = build_blocks.project_id;

    with keyed as (
        select
            e.entity_id, e.direction, s.data_subject_id, v.source_role, v.live, v.fact_id,
            v.valid_from, v.valid_to, v.known_from, v.known_to,
            count(*) over (
                partition by e.entity_id, e.direction, s.data_subject_id, v.source_role, v.live
            ) as versions
        from taisce.fact_version as v
        cross join lateral (
            values ('subject', v.subject_entity_id), ('object', v.object_entity_id)
        ) as e (direction, entity_id)
        cross join lateral (
            values (''), (v.data_subject_id)
        ) as s (data_subject_id)
        where v.project_id = build_blocks.project_id
          and e.entity_id is not null
          and s.data_subject_id is not null
    ),
    numbered as (
        select
            k.*,
            (dense_rank() over (
                partition by k.entity_id, k.direction, k.data_subject_id, k.source_role, k.live
                order by k.fact_id
            ) - 1) / greatest(build_blocks.block_facts, sqrt(k.versions)::bigint) as block
        from keyed as k
        where k.versions >= build_blocks.least_versions
    ),
    blocked as (
        select
            n.entity_id, n.direction, n.data_subject_id, n.source_role, n.live, n.block,
            (array_agg(n.fact_id order by n.fact_id desc))[1] as last_fact,
            min(n.valid_from) as valid_from_min,
            max(n.valid_to) as valid_to_max,
            min(n.known_from) as known_from_min,
            max(n.known_to) as known_to_max,
            max(least(n.valid_to, n.known_to)) as either_to_max,
            max(case when n.known_to = 'infinity' then n.valid_to else '-infinity' end)
                as believed_to_max
        from numbered as n
        group by
            n.entity_id, n.direction, n.data_subject_id, n.source_role, n.live, n.block
    )
    insert into taisce.version_block (
        project_id, entity_id, direction, data_subject_id, source_role, live, last_fact,
        after_fact, valid_from_min, valid_to_max, known_from_min, known_to_max, either_to_max, believed_to_max
    )
    select
        build_blocks.project_id, b.entity_id, b.direction, b.data_subject_id, b.source_role,
        b.live, b.last_fact,
        coalesce(
            lag(b.last_fact) over (
                partition by
                    b.entity_id, b.direction, b.data_subject_id, b.source_role, b.live
                order by b.block
            ),
            '00000000-0000-0000-0000-000000000000'),
        b.valid_from_min, b.valid_to_max, b.known_from_min, b.known_to_max, b.either_to_max,
        b.believed_to_max
    from blocked as b;
    get diagnostics v_blocks = row_count;
    return v_blocks;
end
$func$;
comment on function taisce.build_blocks(bigint, integer, integer) is
'Makes the blocks of versions of a project anew; the clock must be held.';
revoke all on function taisce.build_blocks(bigint, integer, integer) from public;
