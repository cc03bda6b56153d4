-- taisce.check_range(value, argument, lowest, highest), taisce.check_entity_ids(entity_ids, most),
-- taisce.check_predicate(predicate), taisce.check_vector(has_embedding, embedding_model)
-- Refuse arguments of operations that are out of range, before anything is read.
-- Raises: TS005 naming the argument.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_range(
    value integer,
    argument text,
    lowest integer,
    highest integer
)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    if check_range.value is null
        or check_range.value not between check_range.lowest and check_range.highest
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('%s must be between %s and %s, not %s', check_range.argument,
                check_range.lowest, check_range.highest,
                coalesce(check_range.value::text, 'null')),
            hint = 'Leave it out for the default.';
    end if;
end
$func$;
comment on function taisce.check_range(integer, text, integer, integer) is
'Refuses a number out of range with TS005.';
revoke all on function taisce.check_range(integer, text, integer, integer) from public;

create or replace function taisce.check_ids(ids uuid[], argument text, most integer)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    if check_ids.ids is null
        or cardinality(check_ids.ids) not between 1 and check_ids.most
        or array_ndims(check_ids.ids) <> 1
        or array_position(check_ids.ids, null) is not null
        or cardinality(check_ids.ids)
            <> (select count(distinct i.id) from unnest(check_ids.ids) as i (id))
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('%s must be 1 to %s distinct ids without nulls', check_ids.argument,
                check_ids.most),
            hint = 'Ids come from the answers of this memory.';
    end if;
end
$func$;
comment on function taisce.check_ids(uuid[], text, integer) is
'Refuses a list of ids that is empty, long or broken with TS005.';
revoke all on function taisce.check_ids(uuid[], text, integer) from public;

create or replace function taisce.check_label(value text, argument text, most integer)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    if taisce.is_blank(check_label.value) or octet_length(check_label.value) > check_label.most then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('%s must not be blank and holds at most %s bytes, not %s',
                check_label.argument, check_label.most, octet_length(check_label.value)),
            hint = 'Leave it out to leave it open.';
    end if;
end
$func$;
comment on function taisce.check_label(text, text, integer) is
'Refuses a blank or long text with TS005; null passes.';
revoke all on function taisce.check_label(text, text, integer) from public;

create or replace function taisce.check_vector(has_embedding boolean, embedding_model text)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    if check_vector.has_embedding <> (check_vector.embedding_model is not null)
        or taisce.is_blank(check_vector.embedding_model)
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'query_embedding and embedding_model must be given together',
            hint = 'Name the model that made the vector.';
    end if;
end
$func$;
comment on function taisce.check_vector(boolean, text) is
'Refuses a vector without its model, or a model without a vector, with TS005.';
revoke all on function taisce.check_vector(boolean, text) from public;
