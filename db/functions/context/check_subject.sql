-- taisce.check_subject(data_subject_id, required)
-- Refuses the name of a data subject that is blank or too long.
-- Raises: TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_subject(
    data_subject_id text,
    required boolean default true
)
returns void
language plpgsql
stable
parallel safe
as $func$
begin
    if (check_subject.data_subject_id is null and check_subject.required)
        or taisce.normalize_name(check_subject.data_subject_id) = ''
        or octet_length(check_subject.data_subject_id) > 1024
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format(
                'data_subject_id must not be blank and holds at most 1024 bytes, not %s',
                coalesce(octet_length(check_subject.data_subject_id), 0)),
            hint = 'Name the person as the observations do.';
    end if;
end
$func$;
comment on function taisce.check_subject(text, boolean) is
'Refuses the name of a data subject that is blank or too long.';
revoke all on function taisce.check_subject(text, boolean) from public;
