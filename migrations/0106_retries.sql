-- Failed runs of a block that go on, many at a time, on a version of their flow.
create table retries (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  flow_id uuid not null references flows(id),
  block_id text not null,
  -- The version on which they go on.
  version integer not null,
  -- Only runs that have failed for these reasons, on these versions, or these runs; null for all.
  reasons text[],
  from_versions integer[],
  run_ids uuid[],
  pace integer not null check (pace between 1 and 200),
  status text not null default 'running' check (status in ('running', 'paused', 'finished', 'cancelled')),
  stop_reason text check (stop_reason in ('flow_paused', 'flow_archived', 'version_gone')),
  total integer not null,
  retried integer not null default 0,
  refused integer not null default 0,
  cursor uuid,
  resumes integer not null default 0,
  sweep_at timestamptz,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  sweeps integer not null default 0,
  -- Runs that fail later are left out.
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((status = 'running') = (sweep_at is not null))
);
create index retries_account on retries (account_id, id);
create unique index retries_open on retries (flow_id, block_id) where status in ('running', 'paused');
create index retries_sweep on retries (sweep_at) where sweep_at is not null;

-- A run that has gone on on another version: from this step on.
create table run_moves (
  run_id uuid not null references runs(id) on delete cascade,
  step integer not null,
  from_version integer not null,
  to_version integer not null,
  moved_at timestamptz not null default clock_timestamp(),
  primary key (run_id, step)
);
