-- The processes at work, as they tell of themselves, for doctor: each renews its row, and rows of those that are gone are deleted.
create table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  version text not null,
  -- 'api', and the task queues that it works on.
  roles text[] not null,
  -- Those that doctor judges, without secrets.
  settings jsonb not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);
