-- taisce.question_speakers: who a question names, as a message may begin with it.
begin;
select plan(14);

-- Given: Marta is also called Nowak, Bob Lee Ray Robert; another project knows another Marta.
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
create function pg_temp.id(number integer) returns uuid language sql immutable as $$
    select lpad(to_hex(number), 32, '0')::uuid
$$;
create function pg_temp.name(number integer, name text, project_id bigint default 9001)
returns void language sql as $$
    insert into taisce.entity_name (project_id, name_key, entity_id, normalized_name, spelling, kind,
        words)
    values (name.project_id, taisce.name_key(lower(name)), pg_temp.id(number), lower(name), name,
        'alias', 1)
$$;
select pg_temp.name(1, 'Marta'), pg_temp.name(1, 'Nowak');
select pg_temp.name(2, 'Bob Lee Ray'), pg_temp.name(2, 'Robert');
select pg_temp.name(3, 'Marta', 9002), pg_temp.name(3, 'Elsewhere', 9002);
create function pg_temp.speakers(query text, variadic entities integer[] default '{}') returns text
language sql as $$
    select string_agg(s, ', ' order by s collate "C")
    from unnest(taisce.question_speakers(
        9001, query, array(select pg_temp.id(e) from unnest(entities) as e))) as s
$$;
create function pg_temp.names(query text, name text, variadic entities integer[] default '{}')
returns boolean language sql as $$
    select name = any (taisce.question_speakers(
        9001, query, array(select pg_temp.id(e) from unnest(entities) as e)))
$$;

-- Result
select is(
    pg_temp.speakers('one two three four'),
    'four, one, one two, one two three, three, three four, two, two three, two three four',
    'up to three words in a row, as they stand');
select is(pg_temp.speakers('Who, WHO?'), 'who, who who', 'normalised, each once');
select is(pg_temp.speakers(''), null, 'of no words none');
select is(pg_temp.speakers('marta'), 'marta, nowak', 'with the other names of whom they lead to');
select is(pg_temp.names('bob lee ray', 'robert'), true, 'by a name of three words');
select is(pg_temp.names('bob lee', 'robert'), false, 'that is whole');
select is(pg_temp.names('marta', 'elsewhere'), false, 'not of another project');
select is(pg_temp.speakers('she', 1), 'marta, nowak, she', 'or of entities that are given');
select is(
    pg_temp.names(repeat('a ', 39) || 'marta', 'nowak'), true, 'up to the fortieth word');
select is(pg_temp.names(repeat('a ', 40) || 'marta', 'nowak'), false, 'and no further');
update taisce.entity_name set kept_until = now() where normalized_name = 'nowak';
select is(pg_temp.speakers('marta'), 'marta', 'not a name that has lost its source');
select is(pg_temp.names('nowak', 'marta'), false, 'nor through one');
select pg_temp.name(2, repeat('x', 64)), pg_temp.name(2, repeat('y', 65));
select is(pg_temp.names('robert', repeat('x', 64)), true, 'names of up to 64 bytes');
select is(pg_temp.names('robert', repeat('y', 65)), false, 'nobody begins a message with a longer');

select * from finish();
rollback;
