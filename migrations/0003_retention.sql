-- Drops a week of the logs, unless a round of its deliveries is in progress; tells whether it did. The check is made under
-- the lock: a replay that begins just then is either seen here, or finds nothing to replay.
--
-- Dropping needs the tables to itself for some milliseconds, and whoever comes while it waits for that waits behind it. So
-- all its waiting together lasts patience_ms at most; then it gives up with lock_not_available, having changed nothing. With
-- a patience shorter than deadlock_timeout (one second) no writer is ever the victim of a deadlock with it. It locks in the
-- order in which the service's statements do, deliveries before the other two, and parents before what is below them.
create function drop_log_week(week timestamptz, patience_ms integer) returns boolean
language plpgsql set timezone to 'UTC' set lock_timeout to '200ms' as $$
declare
  give_up constant timestamptz := clock_timestamp() + patience_ms * interval '1 ms';
  logs constant text[] := array['deliveries', 'events', 'attempts'];
  relation text;
  left_ms integer;
begin
  perform pg_advisory_xact_lock(hashtext('parley.log_partitions'));
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
  -- The default partition may have rows of this week, too: hence the whole table.
  if exists (
    select from deliveries
    where id >= uuid_from_time(week) and id < uuid_from_time(week + interval '7 days') and sweep_at is not null
  ) then
    return false;
  end if;
  foreach relation in array logs loop
    execute format('drop table if exists %I', relation || to_char(week, '_YYYYMMDD'));
  end loop;
  return true;
end $$;
