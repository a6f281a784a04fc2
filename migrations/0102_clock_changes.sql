-- Accounts whose time zone has changed, until all runs that wait by their clock are woken (src/shared/runs/life/wake-by-clock.ts). A row is written with
-- the change itself, so that no crash loses it.
create table clock_changes (
  account_id uuid primary key references accounts(id) on delete cascade,
  -- Up to which run they are woken, in the order of their ids, and how many are.
  last_run_id uuid,
  woken integer not null default 0
);
