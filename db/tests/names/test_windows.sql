-- The windows of a question: its words and gaps, runs with marks, owners, names of marks.
begin;
select plan(42);

-- Given
create temporary view helper as
select p.proname::text as name, p.provolatile::text as volatility, p.proparallel::text as parallel,
    p.oid
from pg_catalog.pg_proc as p
where p.pronamespace = 'taisce'::regnamespace
  and p.proname in ('text_parts', 'marked_windows', 'owned_windows', 'typed_windows',
    'owned_tokens', 'owner_token', 'outer_marks', 'has_symbol', 'ends_word', 'mark_ranges',
    'symbol_ranges', 'question_terms');

-- Contract
select is(
    (select count(*)::integer from helper where volatility = 'i' and parallel = 's'), 12,
    'all are immutable and may run in parallel');

-- Rights
select is_empty(
    $$ select h.name from helper as h
       cross join lateral aclexplode((select p.proacl from pg_proc as p where p.oid = h.oid)) as x
       where x.grantee <> (select p.proowner from pg_proc as p where p.oid = h.oid) $$,
    'only the owner may call them');

-- Result: text_parts
select is(taisce.text_parts('', false), array[''], 'an empty text is one gap');
select is(taisce.text_parts('a b', false), array['', 'a', ' ', 'b', ''], 'a space is a gap');
select is(
    taisce.text_parts('"at&t''s"?', false), array['"', 'at', '&', 't''s', '"?'],
    'marks are gaps, an apostrophe inside a word is part of it');
select is(
    taisce.text_parts('-x- '' y''', false), array['-', 'x', '- '' ', 'y', ''''],
    'what words are trimmed of stands in the gaps');
select is(taisce.text_parts('- ...', false), array['- ...'], 'marks alone are one gap');
select is(
    taisce.text_parts('c++|a=b', false), array['', 'c++|a=b', ''], 'signs are part of a word');
select is(
    taisce.text_parts('c++|a=b', true), array['', 'c++', '|', 'a', '=', 'b', ''],
    'but for a plus they end one where asked');
select is(
    taisce.text_parts(U&'\00E9\+01F600\FE0Fx\200B', true),
    array['', U&'\00E9', U&'\+01F600\FE0F', 'x', U&'\200B'],
    'as emoji and unseen marks do');

-- Result: has_symbol, ends_word, outer_marks, owner_token
select ok(not taisce.has_symbol('c++, "at&t"!'), 'punctuation and a plus are no symbols');
select ok(taisce.has_symbol('a|b'), 'a bar is one');
select ok(taisce.has_symbol(U&'caf\00E9 \2122'), 'and a trade mark');
select ok(not taisce.has_symbol(U&'caf\00E9 \2014'), 'but no dash');
select ok(taisce.ends_word(''), 'a word ends with the text');
select ok(taisce.ends_word('- x'), 'before a hyphen that ends a word');
select ok(taisce.ends_word(U&'\+01F600'), 'before an emoji');
select ok(not taisce.ends_word('-x'), 'not before a hyphen inside a word');
select ok(not taisce.ends_word('+'), 'nor before a plus');
select is(taisce.outer_marks('("x"'), 2, 'marks before a word');
select is(taisce.outer_marks('((((x'), 3, 'are at most three');
select is(taisce.outer_marks('x'), 0, 'or none');
select is(taisce.outer_marks('!!'), 1, 'of marks alone one is left');
select is(taisce.owner_token('!!!''s?'), '!!!', 'an owner may be of marks');
select is(taisce.owner_token('marta''s'), 'marta', 'or of letters');
select is(taisce.owner_token('''s'), null, 'but not of nothing');
select is(taisce.owner_token('marta'), null, 'and owns something');

-- Result: windows
select is(
    taisce.marked_windows(taisce.text_parts('who is marta', false), false), '{}'::text[],
    'plain words give nothing more');
select is(
    taisce.marked_windows(taisce.text_parts('(c#)', false), false),
    array['c#', 'c#)', '(c', '(c#', '(c#)'],
    'marks come one by one, the right ones first');
select is(
    taisce.marked_windows(taisce.text_parts('((((c', false), false), array['(c', '((c', '(((c'],
    'three at most');
select is(
    taisce.marked_windows(taisce.text_parts('at&t x', false), false),
    array['at&', 'at&t', 'at&t x', '&t', '&t x'],
    'what stands between words stays');
select is(
    taisce.marked_windows(taisce.text_parts('( c', false), false), '{}'::text[],
    'a mark that touches nothing is none');
select is(
    taisce.marked_windows(taisce.text_parts('a|b', true), true),
    array['a', 'a|', 'a b', 'a|b', 'b', '|b'],
    'joined, runs come with single spaces too');
select is(
    taisce.marked_windows(taisce.text_parts(rtrim(repeat('"x!" ', 9)), false), false),
    taisce.marked_windows(taisce.text_parts(rtrim(repeat('"x!" ', 99)), false), false),
    'a place like one before gives nothing new');
select is(
    taisce.owned_windows(taisce.text_parts('see at&t''s x', false)),
    array['see at t', 'see at&t', 'at t', 'at&t', 't', '&t'],
    'an owner comes joined, as written, and with marks');
select is(
    taisce.owned_windows(taisce.text_parts('is ''s it', false)), '{}'::text[],
    'a possessive of nothing is none');
select is(
    taisce.typed_windows(array['is', 'a@b.eu'], array[2]), array['is a@b.eu', 'a@b.eu'],
    'tokens come as typed');
select is(
    taisce.typed_windows(array['"!!!"'], array[1]),
    array['"!!!"', '"!!!', '"!!', '"!', '!!!"', '!!!', '!!', '!', '!!"', '!!', '!', '!"', '!'],
    'of a name of marks, with fewer of them');
select is(
    taisce.owned_tokens(array['!!', 'x''s']), array['!! x', '! x'],
    'an owner among tokens of marks');
select is(
    taisce.owned_tokens(array['my', 'x''s']), '{}'::text[], 'one of words is no token');
select is(
    (taisce.question_terms('Who is (.NET)?', 512)).dropped, 0, 'below the limit none is dropped');
select ok(
    (taisce.question_terms('Who is (.NET)?', 10)).dropped > 0
    and cardinality((taisce.question_terms('Who is (.NET)?', 10)).candidates) = 10,
    'above it additions are, and are counted');

select * from finish();
rollback;
