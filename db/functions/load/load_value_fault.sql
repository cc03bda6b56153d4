-- taisce.load_value_fault(kind, value)
-- What is wrong with a value of the load format. Instants are looked at for their form alone:
-- whether there is such a day shows when they are read.
-- Returns: one reason, null if nothing is wrong.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_value_fault(kind text, value jsonb)
returns text
language plpgsql
immutable
parallel safe
as $func$
declare
    v_type text := jsonb_typeof(value);
    v_text text;
    v_octets integer;
    v_fault text;
begin
    if v_type = 'null' then
        return null;
    end if;

    if kind in ('label', 'name', 'spelling', 'words', 'predicate') then
        if v_type <> 'string' then
            return 'must be text';
        end if;
        v_text := value #>> '{}';
        v_octets := octet_length(v_text);
        if taisce.is_blank(v_text) then
            return 'must not be empty';
        elsif kind = 'words' and v_octets > 65536
            or kind in ('name', 'spelling') and v_octets > 4096
            or kind = 'label' and v_octets > 1024
            or kind = 'predicate' and v_octets > 256
        then
            return 'is too long';
        elsif kind in ('name', 'spelling') and (
            taisce.normalize_name(v_text) = ''
            or octet_length(taisce.normalize_name(v_text)) > 4096)
        then
            return 'is not a name';
        -- A question is searched for up to four marks that stand alone.
        elsif kind = 'spelling' and v_text !~ '[0-9A-Za-z]'
            and taisce.word_count(taisce.normalize_name(v_text)) = 0
            and cardinality(string_to_array(taisce.normalize_name(v_text), ' ')) > 4
        then
            return 'has no word to be found by';
        end if;
        return null;
    elsif kind = 'instant' then
        if v_type <> 'string' or (value #>> '{}') !~ (
            '^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)$')
        then
            return 'must be an instant such as 2026-01-05T10:00:00Z';
        end if;
        return null;
    elsif kind = 'boolean' then
        return case when v_type <> 'boolean' then 'must be true or false' end;
    elsif kind in ('number', 'share', 'count', 'offset', 'level') then
        if v_type <> 'number' then
            return 'must be a number';
        elsif kind = 'share' and (value::numeric < 0 or value::numeric > 1) then
            return 'must be from 0 to 1';
        elsif kind = 'number' and abs(value::numeric) > 1e15 then
            return 'is too large';
        elsif kind in ('count', 'offset', 'level') and value::numeric <> trunc(value::numeric) then
            return 'must be a whole number';
        elsif kind = 'count' and (value::numeric < 0 or value::numeric > 2147483647)
            or kind = 'offset' and (value::numeric < 1 or value::numeric > 140737488355327)
            or kind = 'level' and (value::numeric < 1 or value::numeric > 6)
        then
            return 'is out of range';
        end if;
        return null;
    elsif kind = 'any' then
        return null;
    elsif kind = 'list' then
        return case when v_type <> 'array' or jsonb_array_length(value) = 0
            then 'must be a list of at least one' end;
    elsif kind in ('names', 'entities', 'things', 'roles') then
        if v_type <> 'array' then
            return 'must be a list';
        end if;
        select taisce.load_value_fault(case load_value_fault.kind
            when 'names' then 'spelling'
            when 'entities' then 'entity'
            when 'things' then 'thing'
            else 'user|assistant|system|tool|document' end, e.value)
        into v_fault
        from jsonb_array_elements(load_value_fault.value) as e (value)
        where taisce.load_value_fault(case load_value_fault.kind
            when 'names' then 'spelling'
            when 'entities' then 'entity'
            when 'things' then 'thing'
            else 'user|assistant|system|tool|document' end, e.value) is not null
           or jsonb_typeof(e.value) = 'null'
        limit 1;
        return case when found then coalesce('an element ' || v_fault, 'has an empty element')
            when kind = 'roles' and jsonb_array_length(value) not between 1 and 5
                then 'must hold one to five roles'
            end;
    elsif kind in ('entity', 'thing') then
        if v_type = 'string' then
            return taisce.load_value_fault(
                case kind when 'entity' then 'spelling' else 'label' end, value);
        elsif v_type <> 'object' then
            return 'must be text or an object';
        elsif value = jsonb_build_object('id', value ->> 'id') then
            return case when (value ->> 'id') !~
                '^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$'
                then 'must hold a uuid' end;
        elsif value = jsonb_build_object('key', value ->> 'key') then
            return taisce.load_value_fault('label', value -> 'key');
        elsif kind = 'entity' and value = jsonb_build_object('speaker', value ->> 'speaker') then
            return taisce.load_value_fault('label', value -> 'speaker');
        end if;
        return case kind
            when 'entity' then 'must hold one of key, id, speaker'
            else 'must hold one of key, id'
        end;
    end if;

    -- What is left is a list of words to choose from.
    return case when v_type <> 'string' or not (value #>> '{}') = any (string_to_array(kind, '|'))
        then 'must be one of ' || replace(kind, '|', ', ') end;
end
$func$;
comment on function taisce.load_value_fault(text, jsonb) is
'What is wrong with a value of the load format, null if nothing is.';
revoke all on function taisce.load_value_fault(text, jsonb) from public;
