-- What a flow is tried with, and what is expected then: run in the builder and before each publish.
create table flow_scenarios (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  flow_id uuid not null references flows(id) on delete cascade,
  name text not null,
  -- As POST /flows/{id}/simulate takes it, without version and real.
  simulation jsonb not null,
  expected jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index flow_scenarios_name on flow_scenarios (flow_id, lower(name));
