-- The log of what flows asked of other services: a row for each try. Like the other logs it is partitioned by week of its time-sortable
-- id, which the database makes.
create table requests (
  id uuid not null default uuidv7(),
  account_id uuid not null,
  run_id uuid not null,
  step integer not null,
  block_id text not null,
  try integer not null,
  -- 'sending' before it is sent; 'unknown' when nobody can tell what became of it.
  state text not null check (state in ('sending', 'answered', 'failed', 'unknown')),
  sent_at timestamptz not null default clock_timestamp(),
  timeout_ms integer not null,
  -- The request as it is sent again, without its credentials. Gone once the step has ended.
  rendered bytea,
  -- What is shown. Secrets are redacted, bodies are excerpts.
  idempotency_key text not null,
  method text not null,
  url text not null,
  request_headers jsonb,
  request_body bytea,
  status_code integer,
  response_headers jsonb,
  response_body bytea,
  response_truncated boolean not null default false,
  address text,
  duration_ms integer,
  -- Why there is no good answer: a word, and more about it.
  reason text,
  detail text,
  -- What each mapping came to, and the port that the step took after this try.
  fields jsonb,
  port text,
  primary key (id)
) partition by range (id);
create table requests_default partition of requests default;
create index requests_run on requests (run_id, id);

create or replace function partitioned_logs() returns table (place integer, log text, id text, removable text)
language sql immutable as $$
  values
    (1, 'events', 'id', 'true'),
    (2, 'deliveries', 'id', 'not l.in_progress'),
    -- After the deliveries: the attempts of one that stays do so, too.
    (3, 'attempts', 'delivery_id', 'not exists (select from deliveries d where d.id = l.delivery_id)'),
    (4, 'requests', 'id', 'true')
$$;
