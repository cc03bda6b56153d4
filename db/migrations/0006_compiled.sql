-- The compiled layer: communities, reports about them, and segments that condense older turns.

create table taisce.community (
    project_id bigint not null references taisce.project (project_id),
    community_id uuid not null,
    level integer not null check (level >= 0),
    parent_id uuid,
    created_at timestamptz not null,
    primary key (project_id, community_id)
);
create index community_parent on taisce.community (project_id, parent_id);

create table taisce.community_member (
    project_id bigint not null,
    community_id uuid not null,
    entity_id uuid not null,
    primary key (project_id, community_id, entity_id),
    foreign key (project_id, community_id)
    references taisce.community (project_id, community_id) on delete cascade
);
create index community_member_entity on taisce.community_member (project_id, entity_id);

create table taisce.report (
    project_id bigint not null,
    report_id uuid not null,
    community_id uuid not null,
    title text not null,
    summary text not null,
    importance double precision not null default 0,
    compiled_at timestamptz not null,
    through_offset bigint not null,
    withdrawn_at timestamptz,
    withdrawn_cause text,
    primary key (project_id, report_id),
    foreign key (project_id, community_id)
    references taisce.community (project_id, community_id) on delete cascade
);
create index report_community on taisce.report (project_id, community_id);

create table taisce.report_fact (
    project_id bigint not null,
    report_id uuid not null,
    fact_id uuid not null,
    primary key (project_id, report_id, fact_id),
    foreign key (project_id, report_id)
    references taisce.report (project_id, report_id) on delete cascade
);
create index report_fact_fact on taisce.report_fact (project_id, fact_id);

create table taisce.report_source (
    project_id bigint not null,
    report_id uuid not null,
    observation_id uuid not null,
    primary key (project_id, report_id, observation_id),
    foreign key (project_id, report_id)
    references taisce.report (project_id, report_id) on delete cascade
);
create index report_source_observation on taisce.report_source (project_id, observation_id);

create table taisce.segment (
    project_id bigint not null references taisce.project (project_id),
    segment_id uuid not null,
    data_subject_id text not null,
    level integer not null check (level between 1 and 6),
    from_offset bigint not null,
    to_offset bigint not null,
    covered integer not null,
    summary text not null,
    characters integer not null,
    created_at timestamptz not null,
    primary key (project_id, segment_id),
    check (from_offset <= to_offset)
);
create unique index segment_range on taisce.segment
(project_id, data_subject_id, level, to_offset) include (from_offset, characters);
