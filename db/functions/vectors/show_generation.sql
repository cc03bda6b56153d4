-- taisce.model_identity(model, revision), taisce.show_generation(generation)
-- How a generation is shown: its model as one text ("model", or "model@revision"), how far it
-- reaches, how many vectors it holds, and whether it has an index of its own.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.vector_generation') is null then
        create type memory_v1.vector_generation as (
            generation_id bigint,
            space text,
            model text,
            revision text,
            embedding_model text,
            dimensions integer,
            metric text,
            input_version text,
            state text,
            through_offset bigint,
            covered_through_offset bigint,
            vectors bigint,
            own_index boolean,
            created_at timestamptz,
            activated_at timestamptz,
            retired_at timestamptz
        );
        comment on type memory_v1.vector_generation is
            'Vectors of one model for the items of one space, and how far they reach.';
    end if;
end
$do$;

create or replace function taisce.model_identity(model text, revision text)
returns text
language sql
immutable
parallel safe
as $func$
    select model || case when revision <> '' then '@' || revision else '' end
$func$;
comment on function taisce.model_identity(text, text) is
'The identity of a model as one text: its name, and behind @ its revision.';
revoke all on function taisce.model_identity(text, text) from public;

create or replace function taisce.show_generation(generation taisce.embedding_generation)
returns memory_v1.vector_generation
language plpgsql
stable
parallel safe
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_part constant bigint
        := case when generation.own_partition then generation.generation_id else 0 end;
    v_vectors bigint;
begin
    select count(*)
    into v_vectors
    from taisce.embedding as e
    where e.project_id = generation.project_id
      and e.part = v_part
      and e.generation_id = generation.generation_id;
    return row(
        generation.generation_id, generation.space, generation.model, generation.revision,
        taisce.model_identity(generation.model, generation.revision), generation.dimensions,
        generation.metric, generation.input_version, generation.state,
        generation.through_offset, generation.covered_through_offset, v_vectors,
        taisce.has_vector_index(generation.generation_id),
        generation.created_at, generation.activated_at, generation.retired_at
    )::memory_v1.vector_generation;
end
$func$;
comment on function taisce.show_generation(taisce.embedding_generation) is
'How a generation is shown: its model as one text, its reach, its vectors, its index.';
revoke all on function taisce.show_generation(taisce.embedding_generation) from public;
