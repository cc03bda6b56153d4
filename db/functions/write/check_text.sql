-- taisce.check_text(argument, kind, value)
-- Refuses a text that is missing, empty or too long. kind: label, name, words or predicate, as in
-- the load format.
-- Returns: nothing.   Raises: TS005 naming the argument.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_text(argument text, kind text, value text)
returns void
language plpgsql
immutable
parallel safe
as $func$
declare
    v_fault text := case
        when check_text.value is null then 'is missing'
        else taisce.load_value_fault(check_text.kind, to_jsonb(check_text.value))
    end;
begin
    if v_fault is not null then
        perform taisce.refuse_argument(check_text.argument, v_fault);
    end if;
end
$func$;
comment on function taisce.check_text(text, text, text) is
'Refuses a text that is missing, empty or too long.';
revoke all on function taisce.check_text(text, text, text) from public;
