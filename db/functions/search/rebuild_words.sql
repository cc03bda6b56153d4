-- requires: search/index_words.sql
-- taisce.rebuild_words(project_id)
-- The words of a project anew: all of it is taken out and every text read again. Postings come out
-- packed.
-- Returns: one row a space with its texts.   Runs as: invoker.   Since: 0.1

create or replace function taisce.rebuild_words(project_id bigint)
returns table (space text, documents bigint)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $func$
declare
    v_ids uuid[];
begin
    perform taisce.lock_clock(rebuild_words.project_id);
    delete from taisce.posting as p where p.project_id = rebuild_words.project_id;
    delete from taisce.word_document as d where d.project_id = rebuild_words.project_id;
    delete from taisce.word_due as d where d.project_id = rebuild_words.project_id;
    delete from taisce.word_statistics as s where s.project_id = rebuild_words.project_id;
    delete from taisce.word_space as s where s.project_id = rebuild_words.project_id;
    foreach space in array array['message', 'claim', 'fact', 'entity'] loop
        v_ids := case space
            when 'message' then array(
                select m.passage_id
                from taisce.message as m
                where m.project_id = rebuild_words.project_id
                order by m.log_offset, m.ordinal
            )
            when 'claim' then array(
                select c.claim_id
                from taisce.claim as c
                where c.project_id = rebuild_words.project_id
            )
            when 'fact' then array(
                select f.fact_id
                from taisce.fact as f
                where f.project_id = rebuild_words.project_id
            )
            else array(
                select e.entity_id
                from taisce.entity as e
                where e.project_id = rebuild_words.project_id
            )
        end;
        documents := taisce.index_words(
            space, array_fill(rebuild_words.project_id, array[cardinality(v_ids)]), v_ids);
        return next;
    end loop;
end
$func$;
comment on function taisce.rebuild_words(bigint) is
'The words of a project anew, from its texts as they stand.';
revoke all on function taisce.rebuild_words(bigint) from public;

create or replace function taisce.follow_word_settings()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $func$
begin
    perform taisce.rebuild_words(new.project_id);
    return null;
end
$func$;
comment on function taisce.follow_word_settings() is
'Words anew when the text search configuration or reference length of a project changes.';
revoke all on function taisce.follow_word_settings() from public;

create or replace trigger words_follow
after update of word_configuration, reference_length on taisce.project
for each row when (
    old.word_configuration is distinct from new.word_configuration
    or old.reference_length is distinct from new.reference_length
)
execute function taisce.follow_word_settings();
