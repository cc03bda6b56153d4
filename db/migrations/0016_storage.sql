-- How often autovacuum comes to the tables that many writes pass through. Recall reads indexes
-- alone where it can, which only spares the table where all rows of a page are known to be visible:
-- those tables are vacuumed after inserts too, at 2 % instead of 20 %. Versions, postings and what
-- counts in place have theirs where they are made.

-- Nearly every supersession leaves a dead row in each of these two: the columns that change are
-- those that indexes choose by.
alter table taisce.fact set (
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.05
);
alter table taisce.version_block set (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.02
);
-- Updated once, when it is formed.
alter table taisce.observation set (
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_insert_scale_factor = 0.02
);
alter table taisce.fact_evidence set (autovacuum_vacuum_insert_scale_factor = 0.05);
alter table taisce.entity_mention set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table taisce.entity_name set (autovacuum_vacuum_insert_scale_factor = 0.05);
alter table taisce.claim set (autovacuum_vacuum_insert_scale_factor = 0.05);
