-- taisce.load_settings(project_id, line)
-- Applies a project line: the settings it gives.
-- Returns: {repeated}.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_settings(project_id bigint, line taisce.load_line)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_configuration text := line.body ->> 'word_configuration';
    v_length real := (line.body ->> 'reference_length')::numeric;
    v_roles text[];
begin
    if line.body ->> 'default_source_roles' is not null then
        v_roles := array(
            select r.value
            from jsonb_array_elements_text(line.body -> 'default_source_roles') with ordinality as r
            order by r.ordinality
        );
    end if;
    if not exists (
        select
        from pg_ts_config as c
        where c.cfgname = v_configuration
    ) and v_configuration is not null then
        perform taisce.refuse_line(
            line.line, 'word_configuration', 'is not a text search configuration of this server');
    elsif v_length < 1 or v_length > 1e6 then
        perform taisce.refuse_line(line.line, 'reference_length', 'is out of range');
    end if;

    update taisce.project as p
    set default_source_roles = coalesce(v_roles, p.default_source_roles),
        word_configuration = coalesce(v_configuration, p.word_configuration),
        reference_length = coalesce(v_length, p.reference_length)
    where p.project_id = load_settings.project_id
      and (p.default_source_roles <> v_roles
        or p.word_configuration <> v_configuration
        or p.reference_length <> v_length);
    return jsonb_build_object('repeated', (not found)::integer);
end
$func$;
comment on function taisce.load_settings(bigint, taisce.load_line) is
'Applies a project line: the settings it gives.';
revoke all on function taisce.load_settings(bigint, taisce.load_line) from public;
