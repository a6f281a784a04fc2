-- Makes the weekly partitions of the logs that cover [since, until], where they are missing; a week for which there is no
-- moment alone with the logs is left to the next call, with all after it. It had waited for each log by itself, events first,
-- and a writer that came the other way was the victim of a deadlock. A week of which a default partition has rows already
-- (ids by a clock far ahead) stays there.
create or replace function log_partitions(since timestamptz, until timestamptz) returns void
language plpgsql set timezone to 'UTC' as $$
declare
  week timestamptz;
  log text;
begin
  for week in select generate_series(date_trunc('week', since), until, interval '7 days') loop
    for log in
      select l from unnest(array['deliveries', 'events', 'attempts']) l
      where to_regclass(l || to_char(week, '_YYYYMMDD')) is null
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
