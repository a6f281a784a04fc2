-- The logs that are partitioned by week, in the order in which everybody locks them: an event is inserted before its deliveries, and an
-- attempt after its delivery is read. (0003 had deliveries first, when one statement inserted events and deliveries.) `id` is the column whose
-- UUIDv7 has the time. `removable` is the condition on a row `l` under which retention may delete it. To add a log, replace this function in a
-- migration.
create function partitioned_logs() returns table (place integer, log text, id text, removable text)
language sql immutable as $$
  values
    (1, 'events', 'id', 'true'),
    (2, 'deliveries', 'id', 'not l.in_progress'),
    -- After the deliveries, because the attempts of a delivery that stays also stay.
    (3, 'attempts', 'delivery_id', 'not exists (select from deliveries d where d.id = l.delivery_id)')
$$;

-- As before (0003), over the list.
create or replace function lock_logs(week timestamptz) returns void
language plpgsql set timezone to 'UTC' set lock_timeout to 0 as $$
declare
  give_up timestamptz;
  relation text;
  left_ms integer;
begin
  -- This wait holds up nobody.
  perform pg_advisory_xact_lock(hashtext('parley.log_partitions'));
  give_up := clock_timestamp() + interval '200 ms';
  for relation in
    select log || suffix
    from partitioned_logs(), unnest(array['', '_default', to_char(week, '_YYYYMMDD')]) with ordinality as part (suffix, level)
    where to_regclass(log || suffix) is not null
    order by level, place
  loop
    left_ms := extract(epoch from give_up - clock_timestamp()) * 1000;
    if left_ms < 1 then
      raise lock_not_available using message = 'the logs are in use';
    end if;
    perform set_config('lock_timeout', left_ms::text, true);
    execute format('lock table only %I in access exclusive mode', relation);
  end loop;
end $$;

-- As before (0003), over the list.
create or replace function drop_log_week(week timestamptz) returns boolean
language plpgsql set timezone to 'UTC' as $$
declare
  log text;
begin
  perform lock_logs(week);
  -- The whole table, because the default partition may have rows of this week.
  if exists (
    select from deliveries
    where id >= uuid_from_time(week) and id < uuid_from_time(week + interval '7 days') and sweep_at is not null
  ) then
    return false;
  end if;
  for log in select logs.log from partitioned_logs() as logs order by place loop
    execute format('drop table if exists %I', log || to_char(week, '_YYYYMMDD'));
  end loop;
  return true;
end $$;

-- As before (0006), over the list.
create or replace function log_partitions(since timestamptz, until timestamptz) returns void
language plpgsql set timezone to 'UTC' as $$
declare
  week timestamptz;
  log text;
begin
  for week in select generate_series(date_trunc('week', since), until, interval '7 days') loop
    for log in
      select logs.log from partitioned_logs() as logs
      where to_regclass(logs.log || to_char(week, '_YYYYMMDD')) is null order by place
    loop
      perform lock_logs(week);
      begin
        execute format(
          'create table if not exists %I partition of %I for values from (%L) to (%L)',
          log || to_char(week, '_YYYYMMDD'), log, uuid_from_time(week), uuid_from_time(week + interval '7 days'));
      exception
        when check_violation then
          raise warning 'no partition of % for the week of %: %', log, week, sqlerrm;
      end;
    end loop;
  end loop;
exception
  when lock_not_available or deadlock_detected then
    raise warning 'no partitions for the week of %: %', week, sqlerrm;
end $$;

-- Deletes rows from before this time in the default partitions of the logs, from which no week is dropped: at most `at_most` of each log.
-- Answers how many.
create function delete_old_log_rows(before timestamptz, at_most integer) returns integer
language plpgsql as $$
declare
  log record;
  deleted integer;
  total integer := 0;
begin
  for log in select * from partitioned_logs() order by place loop
    execute format(
      'delete from %1$I where %2$I in (select %2$I from %1$I as l where %2$I < $1 and %3$s limit $2)',
      log.log || '_default', log.id, log.removable)
      using uuid_from_time(before), at_most;
    get diagnostics deleted = row_count;
    total := total + deleted;
  end loop;
  return total;
end $$;
