-- Other services that fail again and again: runs wait for them instead of failing. A row goes with the first call that comes back well.
create table origin_breakers (
  account_id uuid not null references accounts,
  -- Scheme, host and port.
  origin text not null,
  -- Failures one after another; from the opening on, only those of probes.
  failures integer not null,
  failed_at timestamptz not null default clock_timestamp(),
  -- Set while it is open; `retry_at` is when the next call may probe whether the origin is well again.
  opened_at timestamptz,
  retry_at timestamptz,
  primary key (account_id, origin),
  check ((opened_at is null) = (retry_at is null))
);
