-- Bulk replays: the deliveries of a filter sent again, a few every second, by the workflow replayDeliveries. The row is the
-- record; the workflow asks it before each batch.
create table replays (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  -- The filter: one webhook or all of these variants, these statuses, this time of being made.
  webhook_id uuid references webhooks,
  variants text[] not null check (cardinality(variants) > 0),
  statuses text[] not null check (cardinality(statuses) > 0),
  since timestamptz,
  until timestamptz,
  -- Deliveries a second.
  pace integer not null check (pace between 1 and 200),
  status text not null default 'running' check (status in ('running', 'paused', 'finished', 'cancelled')),
  -- Why it stopped by itself; null when somebody asked for it.
  stop_reason text check (stop_reason in ('webhook_disabled', 'webhook_deleted', 'plan_lapsed')),
  -- Deliveries that the filter found when the replay was made, and what became of those looked at since.
  total integer not null,
  replayed integer not null default 0,
  skipped integer not null default 0,
  -- The last delivery looked at, and the last one that there was: what comes later is not replayed, so that it ends.
  cursor uuid,
  up_to uuid,
  -- Workflows started after the first one, by a resume or after a loss; only the latest one's batches count.
  resumes integer not null default 0,
  -- When the sweep looks whether a workflow still carries this replay; null while none should.
  sweep_at timestamptz,
  sweeps integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status = 'running') = (sweep_at is not null))
);
create index replays_account on replays (account_id, id);
create index replays_sweep on replays (sweep_at) where sweep_at is not null;
-- At most one at work, or waiting to be, for a webhook and filter.
create unique index replays_open on replays (account_id, webhook_id, variants, statuses, since, until)
  nulls not distinct where status in ('running', 'paused');
