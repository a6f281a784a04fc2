-- The same of replays (0027).
alter table replays add column in_progress boolean generated always as (sweep_at is not null) virtual;
