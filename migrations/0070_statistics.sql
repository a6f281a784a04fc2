-- Hourly counts for the statistics of accounts, made of finished hours (src/shared/statistics/roll-up.ts). A row counts an hour of an account: of
-- one webhook or of all (null), and of one name of events or of all (null). So each question reads one row an hour.
create table statistics_hours (
  account_id uuid not null,
  webhook_id uuid,
  event_name text,
  -- Its beginning, a full hour in UTC.
  hour timestamptz not null,
  -- Events that happened. They belong to no webhook: null in its rows.
  events integer,
  -- Deliveries that ended within the hour without success, by what they ended as.
  failed integer not null,
  dropped integer not null,
  cancelled integer not null,
  -- Attempts that began within the hour, and those of them that failed. Each of the others has delivered a delivery.
  attempts integer not null,
  attempts_failed integer not null,
  -- The attempts by how long they took: `latencyBoundsMs` in src/shared/statistics/latency.ts has the bounds. Null where there are none.
  latency integer[]
);
create unique index statistics_hours_asked on statistics_hours (account_id, webhook_id, event_name, hour) nulls not distinct;
create index statistics_hours_hour on statistics_hours (hour);

-- How far the hours are rolled up: one row. The logs that are there already are caught up with, as far back as statistics are kept.
create table statistics_progress (
  single boolean primary key default true check (single),
  rolled_up_until timestamptz not null
);
insert into statistics_progress (rolled_up_until)
select date_trunc('hour', greatest(now() - interval '186 days', least(now(),
  (select uuid_extract_timestamp(id) from events where id >= uuid_from_time(now() - interval '186 days') order by id limit 1))), 'UTC');
