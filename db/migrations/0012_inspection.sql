-- Ways to a person's turns in order, and to the facts that rest on a person's words.

create index observation_turns on taisce.observation (project_id, data_subject_id, log_offset)
where kind = 'turn' and formed_at is not null and parked_at is null and not erased;
create index fact_of_subject on taisce.fact (project_id, data_subject_id, fact_id);
