-- What answers of operations are made of: short instants, labels, words of a claim, negatives.
begin;
select plan(19);

-- Given
\ir ../refusal.psql

-- Result: short_instant, fact_label
select is(taisce.short_instant('2024-03-01Z'), '2024-03', 'a month where it begins one');
select is(taisce.short_instant('2024-03-02Z'), '2024-03-02', 'a day where it begins one');
select is(taisce.short_instant('2024-03-01T00:01Z'), '2024-03-01T00:01Z', 'else the minute');
set local timezone = 'Asia/Tokyo';
select is(taisce.short_instant('2024-03-01Z'), '2024-03', 'whatever the zone of the session');
select is(taisce.short_instant('2024-03-01 00:00+09'), '2024-02-29T15:00Z', 'told in UTC');
select is(taisce.fact_label('It rains', '-infinity', 'infinity'), 'It rains', 'always adds nothing');
select is(taisce.fact_label('It rains', '2024-01-01Z', 'infinity'), 'It rains (since 2024-01)',
    'an open end');
select is(taisce.fact_label('It rains', '-infinity', '2024-01-02Z'), 'It rains (until 2024-01-02)',
    'an open beginning');
select is(taisce.fact_label('It rains', '2024-01-01Z', '2024-01-02Z'),
    'It rains (2024-01 to 2024-01-02)', 'both');

-- Result: claim_words
select is(taisce.claim_words(' “It  RAINS.” '), 'it rains', 'marks around it do not count');
select is(taisce.claim_words('St. John''s'), 'st. john''s', 'marks inside do');
select is(taisce.claim_words('ﬁve'), taisce.claim_words('five'), 'nor do ligatures');
select is(taisce.claim_words('Straße'), taisce.claim_words('STRASSE'), 'nor ways to write ß');
select is(taisce.claim_words('ΣΟΦΟΣ'), taisce.claim_words('σοφος'), 'nor the final sigma');
select is(taisce.claim_words('...'), '', 'marks alone are nothing');

-- Result: raise_negative
select is(
    pg_temp.refusal($$ select taisce.raise_negative(taisce.negative('known_empty', 'time')) $$),
    'none', 'what is known to be empty is an answer');
select is(
    pg_temp.refusal($$ select taisce.raise_negative(taisce.negative('unknown_entity', 'ids')) $$),
    'TS004 unknown_entity: an id of entity_ids leads to no entity', 'an unknown entity is an error');
select is(
    pg_temp.refusal($$ select taisce.raise_negative(taisce.negative('boundary', 'role')) $$),
    'TS013 role: something matches, but none of it from these source_roles', 'so is a boundary');
select is_empty(
    $$ select b.because
       from unnest(array['ids', 'name', 'words', 'no_facts', 'no_testimony', 'subject', 'role',
            'predicate', 'time', 'evidence', 'rest']) as b (because)
       where taisce.negative('known_empty', b.because) ->> 'explanation' is null
          or taisce.negative('known_empty', b.because) ->> 'workaround' is null $$,
    'each reason has its explanation and its way out');

select * from finish();
rollback;
