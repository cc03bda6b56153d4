-- taisce.message_number, item_number, word_impact, word_slice: what postings are made of.
begin;
select plan(18);

-- Result: message_number
select is(taisce.message_number(1, 0), 65536::bigint, 'messages are numbered by their offset');
select is(taisce.message_number(1, 1), 65537::bigint, 'then by their place');
select is(
    taisce.message_number(0, 65535) < taisce.message_number(1, 0), true,
    'the last of one is before the first of the next');
select is(
    taisce.message_number((2 ^ 39 - 1)::bigint, 65535), (2 ^ 55)::bigint - 1,
    'the last number is below 2^55');

-- Result: item_number
select is(
    taisce.item_number('00000000-0000-8000-0000-000000000007'), 7::bigint, 'the end of an id');
select is(
    taisce.item_number('ffffffff-ffff-ffff-0001-000000000000'), (2 ^ 48)::bigint,
    'and the four digits before it');
select is(
    taisce.item_number('00000000-0000-0000-ffff-ffffffffffff'), (2 ^ 55)::bigint - 1,
    'never negative, and below 2^55');

-- Result: word_impact: 256 f / (f + 0.3 + 0.9 length / reference)
select is(taisce.word_impact(1, 100, 100), 116::bigint, 'once in a text of the reference length');
select is(taisce.word_impact(2, 100, 100), 160::bigint, 'twice weighs more, but not twice');
select is(taisce.word_impact(1, 200, 100), 82::bigint, 'once in a longer text less');
select is(taisce.word_impact(1, 200, 200), 116::bigint, 'but the reference decides');
select is(taisce.word_impact(0, 100, 100), 0::bigint, 'a word that is not there nothing');
select is(taisce.word_impact(1e30, 1, 100), 255::bigint, 'and no word more than 255');

-- Result: word_slice
select is(taisce.word_slice(), 0::smallint, 'the first slice if no other transaction has it');
select is(taisce.word_slice(), 0::smallint, 'a transaction keeps its slice');
select is(
    (select count(*) from pg_locks as l
     where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.classid = 1952543602
       and l.objid = 0 and l.granted and l.mode = 'ExclusiveLock'),
    1::bigint, 'it holds it, and it alone');
select is(
    (select count(*) from pg_locks as l
     where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.objid > 0),
    0::bigint, 'no other');
savepoint before;
select taisce.word_slice();
rollback to before;
select is(taisce.word_slice(), 0::smallint, 'also after a savepoint was given up');

select * from finish();
rollback;
