-- taisce.count_words(project_id, passage_ids, claim_ids, fact_ids)
-- How many texts have words in the index that go when the texts do: triggers see to that.
-- Returns: counts of rows by table.   Runs as: invoker.   Since: 0.1

create or replace function taisce.count_words(
    project_id bigint,
    passage_ids uuid[],
    claim_ids uuid[],
    fact_ids uuid[]
)
returns jsonb
language sql
stable
as $func$
    select jsonb_build_object('word_document', (
        select count(*)
        from taisce.message as m
        join taisce.word_document as d
            on d.project_id = count_words.project_id
            and d.space = 'message'
            and d.number = taisce.message_number(m.log_offset, m.ordinal)
            and d.item_id = m.passage_id
        where m.project_id = count_words.project_id
          and m.passage_id = any (count_words.passage_ids)
    ) + (
        select count(*)
        from (
            select 'claim' as space, c.item_id from unnest(count_words.claim_ids) as c (item_id)
            union all
            select 'fact', f.item_id from unnest(count_words.fact_ids) as f (item_id)
        ) as i
        join taisce.word_document as d
            on d.project_id = count_words.project_id
            and d.space = i.space
            and d.number = taisce.item_number(i.item_id)
            and d.item_id = i.item_id
    ))
$func$;
comment on function taisce.count_words(bigint, uuid[], uuid[], uuid[]) is
'How many texts have words in the index that go when the texts do.';
revoke all on function taisce.count_words(bigint, uuid[], uuid[], uuid[]) from public;
