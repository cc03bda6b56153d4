-- What erasure needs: no word in the planner's statistics, ways to what a turn closed, and the
-- columns in which an id may stand.

-- ANALYZE would keep samples of texts, names, people and digests in pg_statistic, where nothing
-- erases them. Only columns that hold words of a fixed list keep their statistics.
do $$
declare
    v_column record;
begin
    for v_column in
        select c.oid::regclass as relation, a.attname as name, a.attnum as number,
            c.relkind = 'i' as is_index
        from pg_catalog.pg_class as c
        join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        join pg_catalog.pg_attribute as a
            on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_catalog.pg_type as t on t.oid = a.atttypid
        left join pg_catalog.pg_index as i on i.indexrelid = c.oid
        where n.nspname in ('taisce', 'memory_v1')
          and t.typname in ('text', '_text', 'jsonb', 'bytea', 'vector')
          and (c.relkind in ('r', 'p')
            or c.relkind = 'i' and i.indkey[a.attnum - 1] = 0)
          and a.attname <> all (array[
            'role', 'source_role', 'kind', 'identity_kind', 'status', 'support', 'cardinality',
            'cause', 'closed_cause', 'stance', 'space', 'direction', 'claim_valid_precision',
            'state', 'metric', 'access'
          ])
    loop
        if v_column.is_index then
            execute format('alter index %s alter column %s set statistics 0',
                v_column.relation, v_column.number);
        else
            execute format('alter table %s alter column %I set statistics 0',
                v_column.relation, v_column.name);
        end if;
    end loop;
end
$$;

create index fact_version_closed_by on taisce.fact_version (project_id, closed_by)
where closed_by is not null;

-- Who reports feedback holds no clock: the key makes him and an erasure wait for each other.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
alter table taisce.feedback add constraint feedback_fact_known
foreign key (project_id, fact_id) references taisce.fact (project_id, fact_id) on delete cascade;

-- Where an id of an observation, passage, claim or fact may stand: none may be left of an erased
-- one when an erasure ends.
alter table taisce.erasure_registry add column id_columns text[] not null default '{}';
update taisce.erasure_registry as r
set id_columns = c.names
from (
    values
    ('message', array['observation_id', 'passage_id']),
    ('claim', array['observation_id', 'claim_id']),
    ('entity_mention', array['observation_id']),
    ('fact_evidence', array['fact_id', 'claim_id']),
    ('fact', array['fact_id', 'superseded_by', 'supersession_source']),
    ('fact_version', array['fact_id', 'caused_by', 'closed_by']),
    ('entity', array['name_source', 'profile_source']),
    ('entity_name', array['source_observation_id']),
    ('report_fact', array['fact_id']),
    ('report_source', array['observation_id']),
    ('word_due', array['item_id']),
    ('embedding', array['item_id']),
    ('load_key', array['id']),
    ('feedback', array['fact_id']),
    ('version_block', array['last_fact', 'after_fact'])
) as c (table_name, names)
where r.table_name = c.table_name;
