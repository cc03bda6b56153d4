-- taisce.read_evidence: a page of the evidence of a fact, held against the bytes of its message.
begin;
select plan(18);

-- Given: bob says "Acme sits in Prague" twice, at bytes 0 and 24 of the 44 of his message, and that
-- its first four bytes contradict it.
\set reader evidence_reader
\ir memory.psql
create function pg_temp.page(
    most integer default 9, after text default null, subject text default 'bob',
    read_at timestamptz default '2026-01-01Z'
) returns table (place bigint, item jsonb, running bigint, key text) language sql as $$
    select e.* from taisce.project as p
    cross join lateral taisce.read_evidence(p.project_id,
        pg_temp.fact('Acme sits in Prague', subject), string_to_array(page.after, ','), most,
        page.read_at) as e
    where p.name = 'north'
$$;
create function pg_temp.shown(
    most integer default 9, after text default null, read_at timestamptz default '2026-01-01Z'
) returns text language sql as $$
    select string_agg(format('%s %s-%s', left(e.item ->> 'stance', 1), e.item ->> 'byte_start',
        e.item ->> 'byte_end'), ' ' order by e.place)
    from pg_temp.page(most, shown.after, 'bob', shown.read_at) as e
$$;
create function pg_temp.key(number integer) returns text language sql as $$
    select e.key from pg_temp.page() as e where e.place = number
$$;

-- Result: pages
select is(pg_temp.shown(), 's 0-19 s 24-43 c 0-4', 'support first, earliest first');
select is(pg_temp.shown(2), 's 0-19 s 24-43', 'up to so many');
select is(pg_temp.shown(9, pg_temp.key(1)), 's 24-43 c 0-4', 'a page goes on after a row');
select is(pg_temp.shown(1, pg_temp.key(1)), 's 24-43', 'for so many');
select is(pg_temp.shown(9, pg_temp.key(2)), 'c 0-4', 'with what contradicts after the last support');
select is(pg_temp.shown(9, pg_temp.key(3)), null, 'to the end');
select is(
    (select e.key from pg_temp.page() as e where e.place = 2),
    (select concat_ws(',', 'supports', o.log_offset, '0', '24', c.claim_id)
     from taisce.observation as o
     join taisce.claim as c on c.observation_id = o.observation_id and c.byte_start = 24
     where o.data_subject_id = 'bob'),
    'the key says stance, offset, ordinal, byte and claim');

-- Result: items
select is(
    (select array_agg(e.running order by e.place) from pg_temp.page() as e),
    array[63, 126, 174]::bigint[], 'running counts the bytes of quotes (19, 19, 4) and windows (44)');
select is(
    (select e.item - array['claim_id', 'observation_id', 'passage_id', 'log_offset', 'linked_at',
        'occurred_at', 'extractor_version']
     from pg_temp.page() as e where e.place = 3),
    '{"stance": "contradicts", "ordinal": 0, "role": "user", "quote": "Acme", "byte_start": 0,
      "byte_end": 4, "verified": true, "context": "Acme sits in Prague, so Acme sits in Prague.",
      "context_start": 0, "context_complete": true}'::jsonb,
    'an item is the quote, where it stands and what stands around it');
select is(
    (select e.item -> 'verified' from pg_temp.page(subject => 'ann') as e), 'true'::jsonb,
    'a quote behind letters of two bytes is found');
select is(
    (select array[e.item ->> 'quote', substr(e.item ->> 'context', 1, 5), e.item ->> 'byte_start']
     from pg_temp.page(subject => 'ann') as e),
    -- "Grüß: Marta works at Acme now. " takes 33 bytes and 31 characters.
    array['Acme sits in Prague', 'Grüß:', '33'], 'at its byte');

-- Result: what became of the source
update taisce.message set content = 'Acme sits in Prague, so Acme sits in Paris!!'
where data_subject_id = 'bob';
select is(
    (select array_agg((e.item -> 'verified')::text order by e.place) from pg_temp.page() as e),
    '{true,false,true}', 'a quote that is not at its bytes is not verified');
select is(
    (select e.item - array['claim_id', 'observation_id', 'passage_id', 'log_offset', 'linked_at',
        'occurred_at', 'extractor_version', 'ordinal', 'role', 'stance']
     from pg_temp.page() as e where e.place = 2),
    '{"quote": "Acme sits in Prague", "byte_start": 24, "byte_end": 43, "verified": false,
      "context": "", "context_start": 24, "context_complete": false}'::jsonb,
    'and has nothing around it');
update taisce.message set content = null where data_subject_id = 'bob';
select is(
    (select array_agg((e.item -> 'verified')::text order by e.place) from pg_temp.page() as e),
    array['null', 'null', 'null'], 'of a released text it is not known');
select is(
    (select array_agg(e.running order by e.place) from pg_temp.page() as e),
    array[19, 38, 42]::bigint[], 'the quotes stay');

-- Result: retention
update taisce.fact_evidence set retention_until = '2026-01-01Z'
where data_subject_id = 'bob' and byte_start = 24;
select is(pg_temp.shown(), 's 0-19 c 0-4', 'evidence that has expired is not shown');
select is(
    pg_temp.shown(read_at => '2025-12-31 23:59:59Z'), 's 0-19 s 24-43 c 0-4', 'until then it is');
update taisce.fact_evidence set linked_at = '-infinity' where data_subject_id = 'bob';
select is(
    (select (e.item -> 'linked_at')::text from pg_temp.page(1) as e), 'null',
    'when it was linked is null if it is not known');

select * from finish();
rollback;
