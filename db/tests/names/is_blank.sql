-- taisce.is_blank: nothing but white space, the same on every server.
begin;
select plan(6);

-- Result
select ok(taisce.is_blank(''), 'an empty text is blank');
select ok(taisce.is_blank(E' \t\n\f\r' || chr(11)), 'so is any white space of ASCII');
select is_empty(
    $$ select c.code
       from unnest(array[133, 160, 5760, 8192, 8202, 8232, 8233, 8239, 8287, 12288]) as c (code)
       where taisce.is_blank(chr(c.code)) is not true $$,
    'and of Unicode');
select is_empty(
    $$ select c.code
       from unnest(array[8, 14, 28, 31, 132, 159, 161, 8191, 8203, 8288, 12289, 65279]) as c (code)
       where taisce.is_blank(chr(c.code)) is not false $$,
    'its neighbours are not, nor what has no width');
select ok(not taisce.is_blank(E' \n.'), 'one mark is enough');
select is(taisce.is_blank(null), null::boolean, 'null is not known to be blank');

select * from finish();
rollback;
