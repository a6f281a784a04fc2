import type { Sql } from '../../src/shared/platform/db/connect.ts';

/** The settings of connections to a database whose clock can be moved: names are looked up among its functions first. */
export const movableClockSettings = '?search_path=clock,pg_catalog,public';

/**
 * Gives a new database a clock that tests move, in the place of PostgreSQL's own: `now()` and `clock_timestamp()` of statements and defaults read it.
 * Ids keep the time of the machine, so that their order stays that in which they were made.
 */
export const giveMovableClock = async (sql: Sql): Promise<void> => {
  await sql`create schema clock`;
  await sql`create table clock.moved (by interval not null)`;
  await sql`insert into clock.moved values ('0')`;
  await sql`
    create function clock.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + (select by from clock.moved)'`;
  await sql`
    create function clock.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + (select by from clock.moved)'`;
  await sql`
    do $$ declare one record;
    begin
      for one in
        select d.adrelid::regclass as of_table, a.attname as name, replace(pg_get_expr(d.adbin, d.adrelid), 'pg_catalog.', '') as value
        from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        where a.attgenerated = '' and pg_get_expr(d.adbin, d.adrelid) ~ '(now|clock_timestamp)\(\)'
      loop
        execute format('alter table %s alter column %I set default %s', one.of_table, one.name, one.value);
      end loop;
    end $$`;
};

/** The time of a database with a movable clock. */
export const readClock = async (sql: Sql): Promise<Date> => {
  const [row] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  if (!row) throw new Error('the clock tells no time');
  return row.at;
};

/** Moves the clock of a database to a time, from which it goes on. */
export const moveClock = async (sql: Sql, to: Date): Promise<void> => {
  await sql`update clock.moved set by = ${to}::timestamptz - pg_catalog.clock_timestamp()`;
};
