-- requires: recall/find_anchors.sql
-- taisce.query_anchors(project_id, query, subject, read_at)
-- The entities that a query names, as recall finds them, for reads that do not depend on it: a
-- query over the limits of recall gives none, and `skipped` says so.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

create or replace function taisce.query_anchors(
    project_id bigint,
    query text,
    subject text,
    read_at timestamptz,
    out anchors taisce.anchor[],
    out skipped boolean
)
language plpgsql
stable
parallel safe
as $func$
declare
    v_most_pairs constant integer := 256;
    v_most_bytes constant integer := 32768;
    v_most_terms constant integer := taisce.setting_integer('recall_terms');
    v_words constant text[] := taisce.name_words(taisce.normalize_name(query_anchors.query));
    v_count constant integer := cardinality(v_words);
    v_terms taisce.term_set;
    v_long text[] := '{}';
begin
    anchors := '{}';
    skipped := false;
    if v_count = 0 then
        return;
    end if;
    -- Fewer windows than this are never too many.
    if 4 * v_count > v_most_terms or 10 * octet_length(query_anchors.query) > v_most_bytes then
        select count(*) > v_most_terms or sum(octet_length(w.words)) > v_most_bytes
        into skipped
        from (
            select distinct array_to_string(v_words[i.i:i.i + n.n], ' ') collate "C" as words
            from generate_series(1, v_count) as i (i)
            cross join generate_series(0, 3) as n (n)
            where i.i + n.n <= v_count
        ) as w;
        if skipped then
            return;
        end if;
    end if;
    v_terms := taisce.question_terms(query_anchors.query, v_most_terms);
    if cardinality(v_terms.heads) > 0 then
        v_long := taisce.long_names(query_anchors.project_id, v_terms);
    end if;
    select count(*) > v_most_pairs
    into skipped
    from (
        select
        from (
            select taisce.name_key(c.candidate) as key
            from unnest(v_terms.candidates) as c (candidate)
            union
            select taisce.name_key(l.candidate) from unnest(v_long) as l (candidate)
        ) as c
        cross join lateral (
            select
            from taisce.entity_name as n
            where n.project_id = query_anchors.project_id
              and n.name_key between c.key and c.key
            order by n.name_key, n.entity_id
            limit v_most_pairs + 1
        ) as n
        limit v_most_pairs + 1
    ) as p;
    if not skipped then
        anchors := taisce.find_anchors(
            query_anchors.project_id, v_terms, query_anchors.subject, query_anchors.read_at);
    end if;
end
$func$;
comment on function taisce.query_anchors(bigint, text, text, timestamptz) is
'The entities that a query names; none, and skipped, over the limits of recall.';
revoke all on function taisce.query_anchors(bigint, text, text, timestamptz) from public;
