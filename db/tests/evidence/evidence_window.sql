-- memory_v1.evidence_window: the words around a quote.
begin;
select plan(42);

-- Given
-- The window of the first place where a quote stands, as text: context, start, complete.
create function pg_temp.around(content text, quote text, margin integer default 160)
returns text language sql as $$
    select concat_ws('|', w.context, w.context_start, w.context_complete)
    from octet_length(split_part(content, quote, 1)) as a (byte_start)
    cross join lateral memory_v1.evidence_window(
        content, a.byte_start, a.byte_start + octet_length(quote), margin) as w
$$;
create temporary table sample as
select
    content,
    octet_length(left(content, n)) as byte_start,
    octet_length(left(content, n + k)) as byte_end,
    margin
from unnest(array[
    'plain words, one after the other, and no more than that',
    U&'Zo\00EB se\00F1or\00A0dijo\3000\65E5\672C\8A9E\306E\6587 fin',
    U&'\+01F469\200D\+01F4BB\+01F469\200D\+01F4BB a \+01F469\200D\+01F4BB\+01F469',
    repeat(U&'\65E5', 40),
    E'line\none\ttab\r\nend of it'
]) as content
cross join unnest(array[0, 1, 5, 9, 20]) as n
cross join unnest(array[0, 1, 7]) as k
cross join unnest(array[0, 1, 2, 3, 8, 160]) as margin;
create temporary table windows as
select s.*, w.context, w.context_start, w.context_complete,
    convert_to(s.content, 'UTF8') as bytes, convert_to(w.context, 'UTF8') as cut
from sample as s
cross join lateral memory_v1.evidence_window(s.content, s.byte_start, s.byte_end, s.margin) as w;

-- Contract
select has_function(
    'memory_v1', 'evidence_window', array['text', 'integer', 'integer', 'integer'],
    'it takes a text, a span and a margin');
select function_returns(
    'memory_v1', 'evidence_window', array['text', 'integer', 'integer', 'integer'],
    'memory_v1.evidence_context');
select volatility_is(
    'memory_v1', 'evidence_window', array['text', 'integer', 'integer', 'integer'], 'immutable');

-- Rights
select function_privs_are(
    'memory_v1', 'evidence_window', array['text', 'integer', 'integer', 'integer'],
    'taisce_reader', array['EXECUTE'], 'a reader may call it');
select function_privs_are(
    'memory_v1', 'evidence_window', array['text', 'integer', 'integer', 'integer'],
    'public', '{}'::text[], 'the public may not');

-- Result
select is(
    pg_temp.around('I work at Acme.', 'Acme'), 'I work at Acme.|0|t',
    'a short text is given whole');
select is(
    pg_temp.around(repeat('a', 160) || 'Q' || repeat('b', 160), 'Q'),
    repeat('a', 160) || 'Q' || repeat('b', 160) || '|0|t',
    'a margin that just reaches both ends cuts nothing');
select is(
    pg_temp.around('one two three QUOTE four five six', 'QUOTE', 8), 'three QUOTE four|8|f',
    'a cut edge moves inward past the word that it broke');
select is(
    pg_temp.around('one two three QUOTE', 'QUOTE', 8), 'three QUOTE|8|f',
    'an edge that was not cut stays');
select is(
    pg_temp.around('QUOTE four five six', 'QUOTE', 8), 'QUOTE four|0|f',
    'on either side');
select is(
    pg_temp.around('one two three  QUOTE', 'QUOTE', 2), 'QUOTE|15|f',
    'white space at the cut is skipped, all of it');
select is(
    pg_temp.around('one two' || U&'\00A0\2003' || 'three QUOTE', 'QUOTE', 12), 'three QUOTE|12|f',
    'white space is that of Unicode');
select is(
    pg_temp.around('QUOTE four' || U&'\3000' || 'five', 'QUOTE', 9), 'QUOTE four|0|f',
    'after the quote too');
select is(
    pg_temp.around('QUOTE a b   ccccc', 'QUOTE', 8), 'QUOTE a b|0|f',
    'white space before the right cut is trimmed');
select is(
    pg_temp.around(repeat('x', 300) || 'Q' || repeat('y', 300), 'Q'),
    repeat('x', 160) || 'Q' || repeat('y', 160) || '|140|f',
    'without white space the margin is kept');
select is(
    pg_temp.around(repeat(U&'\00E9', 10) || 'Q' || repeat(U&'\00E9', 10), 'Q', 5),
    U&'\00E9\00E9Q\00E9\00E9|16|f',
    'a character that the margin splits is left out');
select is(
    pg_temp.around(repeat(U&'\+01F469', 10) || 'Q' || repeat(U&'\+01F469', 10), 'Q', 3),
    'Q|40|f', 'even if nothing is left');
select is(
    pg_temp.around('aaa Q bbb', 'Q', 0), 'Q|4|f', 'a margin of nothing leaves the quote');
select is(
    pg_temp.around('Q', 'Q', 0), 'Q|0|t', 'which is complete if it is the whole text');
select is(
    pg_temp.around('one two', 'two', 2147483647), 'one two|0|t',
    'the largest margin does not overflow');
select is(
    (memory_v1.evidence_window(repeat('a ', 500), 500, 500)).context_start, 342,
    'an empty span has a window');
select is(
    (memory_v1.evidence_window('', 0, 0)).context, '', 'an empty text has an empty one');
select is(
    memory_v1.evidence_window(null, 7, 9), row('', 7, false)::memory_v1.evidence_context,
    'a message that was released has an empty context at the quote, and is not complete');
select is(
    (memory_v1.evidence_window('aaa Q bbb', 4, 5)).context,
    (memory_v1.evidence_window('aaa Q bbb', 4, 5, 160)).context, 'the margin is 160 if not given');

-- Result: whatever the text, span and margin
select is(
    (
        select count(*) from windows
        where substr(bytes, context_start + 1, length(cut)) <> cut
    ),
    0::bigint, 'the context stands in the text at context_start');
select is(
    (
        select count(*) from windows
        where context_start > byte_start or context_start + length(cut) < byte_end
    ),
    0::bigint, 'the quote is inside the context');
select is(
    (
        select count(*) from windows
        where substr(cut, byte_start - context_start + 1, byte_end - byte_start)
            <> substr(bytes, byte_start + 1, byte_end - byte_start)
    ),
    0::bigint, 'byte_start - context_start finds it');
select is(
    (
        select count(*) from windows
        where byte_start - context_start > margin
           or context_start + length(cut) - byte_end > margin
    ),
    0::bigint, 'no side is longer than the margin');
select is(
    (select count(*) from windows where context_complete <> (context = content)),
    0::bigint, 'it is complete exactly if it is the whole text');

-- Errors
select throws_ok(
    $$ select memory_v1.evidence_window('abc', -1, 2) $$, 'TS005', 'invalid_argument',
    'a negative start is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 2, 1) $$, 'TS005', 'invalid_argument',
    'an end before the start is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 0, 4) $$, 'TS005', 'invalid_argument',
    'an end outside the text is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 0, 1, -1) $$, 'TS005', 'invalid_argument',
    'a negative margin is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', null, 1) $$, 'TS005', 'invalid_argument',
    'a start is needed');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 0, null) $$, 'TS005', 'invalid_argument',
    'an end is needed');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 0, 1, null) $$, 'TS005', 'invalid_argument',
    'a margin of null is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', -2147483648, 1) $$, 'TS005', 'invalid_argument',
    'the smallest start is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 0, -2147483648) $$, 'TS005', 'invalid_argument',
    'the smallest end is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 2147483647, 2147483647) $$, 'TS005',
    'invalid_argument', 'the largest span is refused');
select throws_ok(
    $$ select memory_v1.evidence_window('abc', 0, 1, -2147483648) $$, 'TS005',
    'invalid_argument', 'the smallest margin is refused');
select throws_ok(
    format($$ select memory_v1.evidence_window(%L, 1, 3) $$, repeat(U&'\00E9', 500)),
    'TS005', 'invalid_argument', 'a span that splits a character is refused');
select throws_ok(
    format($$ select memory_v1.evidence_window(%L, 1, 3) $$, repeat(U&'\00E9', 5)),
    'TS005', 'invalid_argument', 'in a short text as well');

select * from finish();
rollback;
