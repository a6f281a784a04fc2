-- Whether a workflow carries the delivery's round, or is to: said once. Computed when it is read, so that the partial indexes on
-- `sweep_at is not null` serve it, and nothing is written for it.
alter table deliveries add column in_progress boolean generated always as (sweep_at is not null) virtual;
