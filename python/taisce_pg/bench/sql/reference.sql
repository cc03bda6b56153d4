-- The same facts as the published design keeps them: the present state in one table with range
-- columns, former states in another. As published, no index of an entity is in fact order; B-trees
-- stand here where it has GiST indexes of entity and range, which are no faster.

drop schema if exists bench_reference cascade;
create schema bench_reference;

create table bench_reference.fact as
select
    f.project_id as scope,
    f.fact_id,
    f.subject_entity_id as subject_id,
    f.predicate,
    f.object_entity_id as object_id,
    f.object_value as value,
    f.statement,
    f.confidence,
    f.source_role,
    f.data_subject_id,
    f.retention_until as expires_at,
    tstzrange(v.valid_from, nullif(v.valid_to, 'infinity')) as valid_during,
    tstzrange(v.known_from, null) as known_during
from taisce.fact_version as v
join taisce.fact as f using (project_id, fact_id)
where v.known_to = 'infinity'
order by f.fact_id;

create table bench_reference.history as
select
    v.project_id as scope,
    v.fact_id,
    tstzrange(v.valid_from, nullif(v.valid_to, 'infinity')) as valid_during,
    tstzrange(v.known_from, v.known_to) as known_during
from taisce.fact_version as v
where v.known_to < 'infinity';

alter table bench_reference.fact add primary key (fact_id);
create index fact_subject on bench_reference.fact (scope, subject_id);
create index fact_object on bench_reference.fact (scope, object_id);
create index fact_subject_open on bench_reference.fact (scope, subject_id)
where upper_inf(valid_during) and upper_inf(known_during);
create index fact_object_open on bench_reference.fact (scope, object_id)
where upper_inf(valid_during) and upper_inf(known_during);
create index fact_valid on bench_reference.fact using gist (valid_during);
create index fact_known on bench_reference.fact using gist (known_during);
create index history_fact on bench_reference.history (scope, fact_id);
create index history_known on bench_reference.history using gist (known_during);
