-- Gives the caller's transaction the logs alone, with what they have of this week.
--
-- That takes waiting for everyone who reads or writes them, and whoever comes meanwhile waits behind it. So all its waiting
-- together lasts 200 ms at most; then it fails with lock_not_available. That is less than deadlock_timeout (one second): where
-- it and a writer are in each other's way, it gives way, and no writer is the victim. It locks in the order in which the
-- service's statements do, deliveries before the other two, and parents before what is below them.
create function lock_logs(week timestamptz) returns void
language plpgsql set timezone to 'UTC' set lock_timeout to 0 as $$
declare
  logs constant text[] := array['deliveries', 'events', 'attempts'];
  give_up timestamptz;
  relation text;
  left_ms integer;
begin
  -- Waiting here holds up nobody.
  perform pg_advisory_xact_lock(hashtext('parley.log_partitions'));
  give_up := clock_timestamp() + interval '200 ms';
  foreach relation in array logs
    || array(select log || '_default' from unnest(logs) log)
    || array(select log || to_char(week, '_YYYYMMDD') from unnest(logs) log)
  loop
    continue when to_regclass(relation) is null;
    left_ms := extract(epoch from give_up - clock_timestamp()) * 1000;
    if left_ms < 1 then
      raise lock_not_available using message = 'the logs are in use';
    end if;
    perform set_config('lock_timeout', left_ms::text, true);
    execute format('lock table only %I in access exclusive mode', relation);
  end loop;
end $$;

-- Drops a week of the logs, unless a round of its deliveries is in progress; tells whether it did. The check is made under
-- the lock: a replay that begins just then is either seen here, or finds nothing to replay. Where the logs are in use it
-- fails with lock_not_available, having changed nothing.
create function drop_log_week(week timestamptz) returns boolean
language plpgsql set timezone to 'UTC' as $$
declare
  log text;
begin
  perform lock_logs(week);
  -- The default partition may have rows of this week, too: hence the whole table.
  if exists (
    select from deliveries
    where id >= uuid_from_time(week) and id < uuid_from_time(week + interval '7 days') and sweep_at is not null
  ) then
    return false;
  end if;
  foreach log in array array['deliveries', 'events', 'attempts'] loop
    execute format('drop table if exists %I', log || to_char(week, '_YYYYMMDD'));
  end loop;
  return true;
end $$;
