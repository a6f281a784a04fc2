-- Hourly counts of what contacts, agents and flows of an account did, made of finished hours (src/shared/statistics/roll-up-activity.ts). Pages read
-- one row an hour. No row names anybody.
create table activity_hours (
  account_id uuid not null references accounts(id) on delete cascade,
  -- Its beginning, a full hour in UTC.
  hour timestamptz not null,
  messages_received integer not null,
  messages_sent integer not null,
  new_contacts integer not null,
  runs_started integer not null,
  -- Runs that ended within the hour, by what they ended as.
  runs_completed integer not null,
  runs_failed integer not null,
  runs_cancelled integer not null,
  -- Conversations that got their first answer within the hour, by how long the contact had waited: `answerBoundsMs` in
  -- src/shared/statistics/histogram.ts has the bounds. Null where there are none.
  first_answers integer[],
  primary key (account_id, hour)
);
create index activity_hours_hour on activity_hours (hour);

-- How far the hours are rolled up: one row. What is there already is caught up with, as far back as statistics are kept.
create table activity_progress (
  single boolean primary key default true check (single),
  rolled_up_until timestamptz not null
);
insert into activity_progress (rolled_up_until)
select date_trunc('hour', greatest(now() - interval '400 days', least(now(), (select min(created_at) from accounts))), 'UTC');

-- Finds the runs of an account that ended within an hour. Only the end of a run writes to it.
select build_index('runs_ended', 'runs', '(account_id, ended_at) include (status) where ended_at is not null');
