-- taisce.load_predicates(project_id, lines)
-- Declares predicates; what a later line says of one wins. Facts stored already keep their own
-- cardinality.
-- Returns: {predicates, repeated}.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_predicates(project_id bigint, lines taisce.load_line[])
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_new bigint;
    v_changed bigint;
begin
    with stored as (
        insert into taisce.predicate as p (project_id, predicate, cardinality, description)
        select distinct on (l.body ->> 'predicate')
            load_predicates.project_id, l.body ->> 'predicate',
            coalesce(l.body ->> 'cardinality', 'many'), l.body ->> 'description'
        from unnest(load_predicates.lines) as l
        order by l.body ->> 'predicate', l.line desc
        on conflict on constraint predicate_pkey do update
        set cardinality = excluded.cardinality,
            description = coalesce(excluded.description, p.description)
        where p.cardinality <> excluded.cardinality
           or excluded.description is not null
            and p.description is distinct from excluded.description
        returning p.predicate
    )
    -- What the statement itself has stored it does not see.
    select
        count(*) filter (where (
            select true
            from taisce.predicate as p
            where p.project_id = load_predicates.project_id
              and p.predicate between s.predicate and s.predicate
            order by p.predicate
            limit 1
        ) is null),
        count(*)
    into v_new, v_changed
    from stored as s;
    return jsonb_build_object(
        'predicates', v_new, 'repeated', cardinality(load_predicates.lines) - v_changed);
end
$func$;
comment on function taisce.load_predicates(bigint, taisce.load_line[]) is
'Declares predicates; what a later line says of one wins.';
revoke all on function taisce.load_predicates(bigint, taisce.load_line[]) from public;
