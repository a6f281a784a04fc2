-- How many runs the first run of a chain has caused, by itself or through others. One row a chain: its runs nearly always belong to one contact,
-- under whose lock they are begun, so that nobody else waits for the row.
create table run_fan_outs (
  origin_run_id uuid primary key,
  account_id uuid not null references accounts,
  -- The hour of the clock in which `begun` runs were begun.
  hour timestamptz not null,
  begun integer not null,
  -- Runs that were not begun, ever, and when the last one was not.
  refused bigint not null default 0,
  refused_at timestamptz
) with (fillfactor = 80);
create index run_fan_outs_refused on run_fan_outs (refused_at) where refused > 0;
create index run_fan_outs_hour on run_fan_outs (hour);

-- How many runs of an account had their first pass still to come when they were counted last. Nobody waits for the row: one counts at a time.
create table run_backlogs (
  account_id uuid primary key references accounts,
  runs integer not null,
  counted_at timestamptz not null
);
