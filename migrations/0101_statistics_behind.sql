-- Accounts that had so many rows in an hour that the roll-up of all others does not wait for them (src/shared/statistics/catch-up.ts). Their hours are
-- counted in slices of time, and pages read them live until then. A row goes when its account is as far as all others.
create table statistics_behind (
  -- The table of progress that the account is behind of.
  progress text not null check (progress in ('statistics_progress', 'activity_progress')),
  account_id uuid not null references accounts(id) on delete cascade,
  -- Rows before this time are counted. Hours that end at it or before it are complete.
  counted_until timestamptz not null,
  -- When a process last took it on: the one that has waited longest is next.
  worked_at timestamptz not null default clock_timestamp(),
  primary key (progress, account_id)
);
