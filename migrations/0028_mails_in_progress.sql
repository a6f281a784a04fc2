-- The same of mails (0027).
alter table mails add column in_progress boolean generated always as (sweep_at is not null) virtual;
