-- Whether the delivery's round has a workflow, or will get one. It is computed when it is read, so that nothing is written for it and the
-- partial indexes on `sweep_at is not null` serve it.
alter table deliveries add column in_progress boolean generated always as (sweep_at is not null) virtual;
