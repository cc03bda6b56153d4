-- taisce.check_search(query, rows, argument, most, data_subject_id, source_roles)
-- Refuses arguments of a search that are out of range, before anything is read.
-- Raises: TS005 with the argument and its limit in DETAIL.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_search(
    query text,
    rows integer,
    argument text,
    most integer,
    data_subject_id text,
    source_roles text[]
)
returns void
language plpgsql
immutable
parallel safe
as $func$
declare
    v_detail text;
    v_hint text := 'See the comment of the function for its arguments.';
begin
    if check_search.query is null or taisce.is_blank(check_search.query)
        or octet_length(check_search.query) > 8192
    then
        v_detail := format('query must be 1 to 8192 bytes and not blank, not %s bytes',
            coalesce(octet_length(check_search.query), 0));
        v_hint := 'Ask with the words that matter.';
    elsif check_search.rows is null or check_search.rows not between 1 and check_search.most then
        v_detail := format('%s must be between 1 and %s, not %s', check_search.argument,
            check_search.most, coalesce(check_search.rows::text, 'null'));
    elsif check_search.data_subject_id is not null and (
        taisce.is_blank(check_search.data_subject_id) or octet_length(check_search.data_subject_id) > 1024
    ) then
        v_detail := format('data_subject_id must not be blank and holds at most 1024 bytes, not %s',
            octet_length(check_search.data_subject_id));
        v_hint := 'Leave it out to read the whole project.';
    elsif check_search.source_roles is not null and (
        cardinality(check_search.source_roles) not between 1 and 5
        or array_ndims(check_search.source_roles) <> 1
        or array_position(check_search.source_roles, null) is not null
        or not check_search.source_roles
            <@ array['user', 'assistant', 'system', 'tool', 'document']
        or cardinality(check_search.source_roles)
            <> (select count(distinct r.role) from unnest(check_search.source_roles) as r (role))
    ) then
        v_detail := 'source_roles must be 1 to 5 distinct roles';
        v_hint := 'Choose from user, assistant, system, tool, document.';
    end if;
    if v_detail is not null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = v_detail,
            hint = v_hint;
    end if;
end
$func$;
comment on function taisce.check_search(text, integer, text, integer, text, text[]) is
'Refuses arguments of a search that are out of range with TS005.';
revoke all on function taisce.check_search(text, integer, text, integer, text, text[])
from public;
