-- taisce.normalize_name, name_words, name_key and head_key.
begin;
select plan(27);

-- Given
select set_eq(
    $$ select p.proname::text, p.provolatile::text, p.proparallel::text
       from pg_catalog.pg_proc as p
       where p.pronamespace = 'taisce'::regnamespace
         and p.proname in ('normalize_name', 'name_words', 'name_key', 'head_key', 'word_count') $$,
    $$ values ('normalize_name', 'i', 's'), ('name_words', 'i', 's'), ('name_key', 'i', 's'),
       ('head_key', 'i', 's'), ('word_count', 'i', 's') $$,
    'functions of names are immutable and may run in parallel');

-- Contract
select function_returns('taisce', 'normalize_name', array['text'], 'text');
select function_returns('taisce', 'name_words', array['text'], 'text[]');
select function_returns('taisce', 'name_key', array['text'], 'text');
select function_returns('taisce', 'head_key', array['text'], 'text');
select function_returns('taisce', 'word_count', array['text'], 'integer');

-- Rights
select ok(
    not has_function_privilege('taisce_reader', 'taisce.normalize_name(text)', 'execute'),
    'a reader calls no helper');
select ok(
    has_function_privilege('taisce_owner', 'taisce.normalize_name(text)', 'execute'),
    'the owner may');

-- Result
select is(taisce.normalize_name('  Marta   Nowak '), 'marta nowak', 'spaces are single');
select is(
    taisce.normalize_name(U&'Marta\00A0\3000Nowak\0085'), 'marta nowak',
    'every kind of white space is a space');
select is(taisce.normalize_name(E'a\x1cb'), E'a\x1cb', 'a file separator is no white space');
select is(taisce.normalize_name(U&'O\2019Neil'), 'o''neil', 'the apostrophe is plain');
select is(taisce.normalize_name(U&'A\2010B\2011C'), 'a-b-c', 'hyphens are plain');
select is(taisce.normalize_name(U&'\0130zmir'), 'izmir', 'capital i with dot is i');
select is(taisce.normalize_name(U&'I\0307zmir'), 'izmir', 'and so it is in two characters');
select is(taisce.normalize_name(U&'\1E9E'), U&'\00DF', 'capital sharp s is sharp s');
select is(
    taisce.normalize_name(U&'\0391\03A3'), U&'\03B1\03C3', 'sigma at a word end is no final one');
select is(taisce.normalize_name(U&'Cafe\0301'), U&'caf\00E9', 'the form is composed');
select is(
    taisce.normalize_name(U&'J\030C'), U&'\01F0', 'also where only the small letter composes');
select is(taisce.normalize_name(U&' \2028 '), '', 'a blank name is empty');
select is(taisce.normalize_name(null), null, 'no name stays none');
select is(
    taisce.name_words('at&t, o''neil''s -x- c++ $5'),
    array['at', 't', 'o''neil''s', 'x', 'c++', '$5'],
    'words end at punctuation, not at symbols');
select is(taisce.name_words(U&'a\2014b\3002c'), array['a', 'b', 'c'], 'in any script');
select is(taisce.name_words('- ... '''), '{}'::text[], 'marks are no words');
select is(taisce.head_key('a b. c d e'), 'a b c d', 'a head is four words');
select is(taisce.name_key(repeat('x', 1024)), repeat('x', 1024), 'a name is its own key');
select is(
    taisce.name_key(repeat('x', 1025)),
    chr(1) || encode(sha256(convert_to(repeat('x', 1025), 'UTF8')), 'hex'),
    'a very long one has a digest');

select * from finish();
rollback;
