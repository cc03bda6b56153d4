-- taisce.note_nominations: what a search of open SQL proposed and confirmed.
begin;
select plan(7);

-- Given
create function pg_temp.items(numbers integer[]) returns uuid[] language sql as $$
    select array(select lpad(n::text, 32, '0')::uuid from unnest(numbers) as n)
$$;
create function pg_temp.noted(most integer, proposed integer[], confirmed integer[])
returns text language plpgsql as $$
begin
    perform taisce.note_nominations(
        'lexical_facts', most, pg_temp.items(proposed), pg_temp.items(confirmed));
    return current_setting('taisce.nominated_lexical_facts', true);
end $$;

-- Contract and rights
select volatility_is(
    'taisce', 'note_nominations', array['text', 'integer', 'uuid[]', 'uuid[]'], 'stable');
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.proname = 'note_nominations' and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(pg_temp.noted(20, '{1,2}', '{1}'), null, 'nobody asked: nothing is noted');
select set_config('taisce.nominated_lexical_facts', '0/0', true);
select is(pg_temp.noted(20, '{1,2,3,4}', '{1,3}'), '4/2', 'all that was proposed counts');
select is(
    pg_temp.noted(2, '{1,2,3,4}', '{1,3}'), '7/4',
    'what comes behind the last one wanted does not; calls add up');
select is(pg_temp.noted(20, '{}', '{}'), '7/4', 'nothing found adds nothing');
select set_config('taisce.nominated_lexical_facts', 'words of somebody', true);
select is(
    pg_temp.noted(20, '{1}', '{1}'), 'words of somebody',
    'a setting that the executor did not open is left alone');

select * from finish();
rollback;
