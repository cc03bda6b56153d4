-- taisce.space_examples()
-- Worked examples of open SQL: for each a query as one might write it at first, one that is right,
-- and why. The right ones are run by the tests.
-- Returns: one row an example, in the order of showing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.space_examples()
returns table (place integer, title text, wrong text, right_way text, why text)
language sql
immutable
parallel safe
as $func$
    values
    (
        1,
        'what is believed, not what was said',
        $example$select claim_text
from claims_current
where claim_text ilike '%dublin%'$example$,
        $example$select subject, predicate, object, evidence_count
from facts_current
where object_id = any (array(
    select entity_id from entity_names where normalized_name = 'dublin'
))$example$,
        'A claim is what a source says. A fact is what the memory made of it. A name is found '
        'by its normalised spelling, in an index; ilike reads everything.'
    ),
    (
        2,
        'the words behind a fact: from one view into another',
        $example$select c.quote
from fact_evidence as e
join claims_history as c using (claim_id)
where e.fact_id = '00000000-0000-8000-8000-000000000001'$example$,
        $example$select c.quote, c.role, c.asserted_at
from claims_history as c
where c.claim_id = any (array(
    select e.claim_id
    from fact_evidence as e
    where e.fact_id = '00000000-0000-8000-8000-000000000001'
))$example$,
        'A join of two views reads both as far as their own conditions say. To follow few keys '
        'into another view hand them over as an array, or write a lateral subquery with '
        'offset 0: then its index is used.'
    ),
    (
        3,
        'what held at an instant',
        $example$select statement
from facts_current
where valid @> timestamptz '2026-01-01'$example$,
        $example$select subject, predicate, object, value
from facts_history
where known_until is null
  and (valid_from is null or valid_from <= timestamptz '2026-01-01')
  and (valid_until is null or valid_until > timestamptz '2026-01-01')
  and subject_id = any (array(
      select entity_id from entity_names where normalized_name = 'marta nowak'
  ))$example$,
        'facts_current holds only what holds now. A range operator reads every row; comparisons '
        'of the instants can use an index. An open end is null.'
    ),
    (
        4,
        'what was believed at an instant',
        $example$select statement
from facts_history
where recorded_at <= timestamptz '2026-01-01'$example$,
        $example$select subject, predicate, object, value
from facts_history
where known_from <= timestamptz '2026-01-01'
  and (known_until is null or known_until > timestamptz '2026-01-01')
  and (valid_from is null or valid_from <= timestamptz '2026-01-01')
  and (valid_until is null or valid_until > timestamptz '2026-01-01')$example$,
        'History holds every version. One instant on both clocks leaves one version of a fact.'
    ),
    (
        5,
        'how widely a fact is supported',
        $example$select fact_id, count(*) from fact_evidence group by fact_id$example$,
        $example$select fact_id, stance, count(*) as lineages
from evidence_lineage
group by fact_id, stance
order by lineages desc
limit 20$example$,
        'Ten claims copied from one document are one witness.'
    ),
    (
        6,
        'the newest turns',
        $example$select * from observations order by log_offset desc limit 20$example$,
        $example$select log_offset, kind, data_subject_id, occurred_at
from observations
where log_offset > (select stored - 20 from project_freshness)
order by log_offset desc$example$,
        'Sorting a whole view to see its end reads all of it; a bound on the sorted column does '
        'not. changes is in order already: order by changed_at desc limit 20 is quick.'
    ),
    (
        7,
        'what is disputed',
        $example$select subject_id, max(value) from facts_current group by subject_id$example$,
        $example$select contradiction_group, subject, predicate, coalesce(object, value) as says,
    source_role, data_subject_id
from contradictions_current
order by contradiction_group, fact_id$example$,
        'No count and no maximum decides between sources. Show the sides.'
    ),
    (
        8,
        'where something is spoken of',
        $example$select content from messages where content ilike '%dublin%'$example$,
        $example$select m.occurred_at, m.role, m.content
from messages as m
where m.passage_id = any (array(
    select x.passage_id
    from entity_mentions as x
    where x.entity_id = any (array(
select entity_id from entity_names where normalized_name = 'dublin'
    ))
    limit 50
))
order by m.occurred_at$example$,
        'Mentions are kept by entity. For words that are no name use lexical_passages.'
    )
$func$;
comment on function taisce.space_examples() is
'Worked examples of open SQL: a wrong and a right query side by side, and why.';
revoke all on function taisce.space_examples() from public;
