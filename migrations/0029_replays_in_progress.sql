-- As that of deliveries: whether a workflow carries the replay.
alter table replays add column in_progress boolean generated always as (sweep_at is not null) virtual;
