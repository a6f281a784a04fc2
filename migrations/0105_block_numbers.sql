-- How runs go through blocks, for numbers beside the blocks of a flow (src/shared/runs/analytics/). No row names anybody.

-- What has happened since it was last counted: each pass adds its steps, and the roll-up takes them away.
create table block_moves (
  flow_id uuid not null,
  account_id uuid not null,
  version integer not null,
  block_id text not null,
  -- The run came to the block.
  is_entry boolean not null,
  -- How it left, if it did: `port` has the port, of `cancelled` the reason.
  outcome text check (outcome in ('left', 'ended', 'failed', 'cancelled')),
  port text,
  took_ms bigint,
  at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index block_moves_flow on block_moves (flow_id);

create table block_hours (
  flow_id uuid not null,
  -- Its beginning, a full hour in UTC.
  hour timestamptz not null,
  version integer not null,
  block_id text not null,
  outcome text not null,
  -- Empty where there is none.
  port text not null,
  account_id uuid not null references accounts on delete cascade,
  count bigint not null,
  -- By how long runs were at the block: `stayBoundsMs` in src/shared/runs/analytics/outcomes.ts has the bounds. Null where nobody left.
  stays integer[],
  primary key (flow_id, hour, version, block_id, outcome, port)
);
create index block_hours_hour on block_hours (hour);
