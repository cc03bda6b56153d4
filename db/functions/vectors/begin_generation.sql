-- requires: vectors/show_generation.sql
-- memory_v1.begin_generation(space, model, revision, dimensions, input_version, project)
-- Begins a generation of vectors: one model for one space (message, claim, fact, entity, report).
-- One that was begun for the same model, revision, dimensions and input, and was not retired, is
-- taken up again.
-- Returns: one row.   Raises: TS003, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.begin_generation(
    space text,
    model text,
    revision text default '',
    dimensions integer default null,
    input_version text default '1',
    project text default null
)
returns setof memory_v1.vector_generation
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id constant bigint := taisce.open_admin(begin_generation.project);
    v_generation taisce.embedding_generation;
begin
    if coalesce(begin_generation.space, '')
        <> all (array['message', 'claim', 'fact', 'entity', 'report'])
    then
        perform taisce.refuse_argument(
            'space', 'must be one of message, claim, fact, entity, report');
    elsif begin_generation.model is null or taisce.is_blank(begin_generation.model)
        or octet_length(begin_generation.model) > 1024
        or strpos(begin_generation.model, '@') > 0
    then
        perform taisce.refuse_argument('model', 'must not be blank, hold @ or over 1024 bytes');
    elsif begin_generation.revision is null or octet_length(begin_generation.revision) > 1024 then
        perform taisce.refuse_argument('revision', 'must be a text of at most 1024 bytes');
    elsif begin_generation.dimensions is null
        or begin_generation.dimensions not between 1 and 16000
    then
        perform taisce.refuse_argument('dimensions', 'must be between 1 and 16000');
    elsif begin_generation.input_version is distinct from '1' then
        perform taisce.refuse_argument('input_version', 'must be 1');
    end if;
    select g.*
    into v_generation
    from taisce.embedding_generation as g
    where g.project_id = v_project_id
      and g.space = begin_generation.space
      and g.model = begin_generation.model
      and g.revision = begin_generation.revision
      and g.dimensions = begin_generation.dimensions
      and g.input_version = begin_generation.input_version
      and g.state <> 'retired'
    order by g.state = 'active' desc, g.state = 'ready' desc, g.generation_id desc
    limit 1;
    if not found then
        insert into taisce.embedding_generation as g (
            project_id, generation_id, space, model, revision, dimensions, input_version,
            created_at
        )
        values (
            v_project_id, nextval('taisce.embedding_generation_number'), begin_generation.space,
            begin_generation.model, begin_generation.revision, begin_generation.dimensions,
            begin_generation.input_version, clock_timestamp()
        )
        returning g.* into v_generation;
    end if;
    return query select s.* from taisce.show_generation(v_generation) as s;
end
$func$;
comment on function memory_v1.begin_generation(text, text, text, integer, text, text) is
'Begin a generation of vectors of one model for one space, or take up the one begun.';
revoke all on function memory_v1.begin_generation(text, text, text, integer, text, text)
from public;
grant execute on function memory_v1.begin_generation(text, text, text, integer, text, text)
to taisce_admin;
