-- How functions have their statements planned: reads must not depend on statistics nor on who asks.
begin;
select plan(5);

-- Given
create temporary view planned as
select p.oid, n.nspname as home, p.proname as name,
    coalesce(p.proconfig, '{}') as settings,
    coalesce(array_to_string(p.proconfig, ' ') ~ 'enable_\w+=off', false) as directed
from pg_proc as p
join pg_namespace as n on n.oid = p.pronamespace
where n.nspname in ('taisce', 'memory_v1');

-- Rules
select is_empty(
    $$ select p.name from planned as p
       where p.home = 'memory_v1' and p.directed
         and not p.settings @> array['jit=off', 'enable_seqscan=off'] $$,
    'a public function that says how it is planned scans no table and compiles nothing');
select is_empty(
    $$ select p.name from planned as p
       where p.home = 'memory_v1' and p.directed and p.name <> 'load'
         and p.name !~ '^semantic_|_candidates$'
         and not p.settings @> array['plan_cache_mode=force_generic_plan'] $$,
    'and is planned once for all arguments, save searches by vectors');
select is_empty(
    $$ select p.name from planned as p
       where p.name in ('recall', 'fact_walk', 'facts_at', 'facts_as_of', 'recall_anchors',
            'explain_recall', 'why_not', 'lexical_claims', 'lexical_facts', 'lexical_passages',
            'context', 'get_entity', 'list_entities', 'list_records', 'message_window',
            'record_history', 'resolve_citation', 'freshness', 'segments_due')
         and not p.settings @> array['enable_sort=off', 'enable_bitmapscan=off',
            'enable_seqscan=off', 'jit=off', 'plan_cache_mode=force_generic_plan'] $$,
    'what reads by key and in order neither sorts nor reads pages whole');
select is_empty(
    $$ select l.name
       from unnest(array['embedding_items', 'fact_pool', 'graph_edges', 'near_evidence',
            'pointed_messages', 'rank_passages', 'scope_facts', 'testimony_pool',
            'word_candidates']) as l (name)
       where not exists (
           select from planned as p
           where p.home = 'taisce' and p.name = l.name
             and p.settings @> array['plan_cache_mode=force_generic_plan', 'jit=off',
                'enable_sort=off', 'enable_seqscan=off']) $$,
    'these helpers do so for all who call them');
select is_empty(
    $$ select l.name
       from unnest(array['cut_versions', 'join_contradiction', 'place_version',
            'retract_versions', 'rivals_elsewhere', 'write_line']) as l (name)
       where not exists (
           select from planned as p
           where p.home = 'taisce' and p.name = l.name
             and p.settings @> array['plan_cache_mode=force_generic_plan', 'enable_sort=off',
                'enable_seqscan=off', 'enable_bitmapscan=off']) $$,
    'and these of those that write');

select * from finish();
rollback;
