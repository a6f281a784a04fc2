import { changed } from '../../facts/changed.ts';
import type { EventTransact, Writer } from '../../facts/tell.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { atItsPlace } from './wake-runs.ts';

/** The most runs that one statement wakes. */
const wokenAtOnce = 1_000;

/** The most accounts of one call of `wakeByChangedClocks`, and the most time that a statement for one of them takes, in ms. */
const accountsAtOnce = 20;
const wakingMs = 5_000;

type Options = { atOnce?: number };

/**
 * Wakes the next runs that wait by the account's clock, because it has changed: some every second, of all that are left. Answers whether more may be
 * left; not where another process is at it. Call it in a transaction of its own, after the commit of that change: a pass that began before it then
 * holds its run, which is waited for, or has ended.
 */
export const wakeRunsByClock = async (
  { sql, tell }: Writer,
  accountId: string,
  { atOnce = wokenAtOnce }: Options = {},
): Promise<boolean> => {
  // Locked by a statement of its own: the next one then sees every run that waits by the zone before the latest change.
  const { count } = await sql`select from clock_changes where account_id = ${accountId} for update skip locked`;
  if (count === 0) return false;
  const [row] = await sql<[{ isMore: boolean }]>`
    with noted as materialized (
      select account_id, last_run_id, woken from clock_changes where account_id = ${accountId}
    ), waiting as materialized (
      select r.id from noted join flows f on f.account_id = noted.account_id
      join runs r on r.flow_id = f.id and r.ended_at is null and r.waiting = 'delay'
      join contacts c on c.id = r.contact_id and c.time_zone is null
      where noted.last_run_id is null or r.id > noted.last_run_id
      order by r.id limit ${atOnce} for no key update of r
    ), numbered as (
      select id, (select woken from noted) + row_number() over (order by id) as place from waiting
    ), woken as (
      update runs set ${atItsPlace(sql)} from numbered where runs.id = numbered.id and runs.ended_at is null
    ), counted as (
      select count(*) = ${atOnce} as is_more, (select id from numbered order by id desc limit 1) as last_run_id from numbered
    ), finished as (
      delete from clock_changes using noted, counted where clock_changes.account_id = noted.account_id and not is_more
    ), noted_again as (
      update clock_changes set last_run_id = counted.last_run_id, woken = clock_changes.woken + ${atOnce}
      from noted, counted where clock_changes.account_id = noted.account_id and is_more
    )
    select is_more from counted`;
  await tell(changed(accountId, 'runs'));
  return row.isMore;
};

/**
 * Wakes runs of accounts whose time zone has changed, where the request that changed it has not woken all: there were many, or its process died. Of
 * each account some, and of many accounts some at random, so that none that fails keeps others from their turn. Throws the first failure in the end.
 */
export const wakeByChangedClocks = async (
  { db, transact }: { db: Sql; transact: EventTransact },
  signal?: AbortSignal,
  options?: Options,
): Promise<void> => {
  const noted = await db<{ accountId: string }[]>`
    select account_id from clock_changes order by random() limit ${accountsAtOnce}`;
  const failures: unknown[] = [];
  for (const { accountId } of noted) {
    if (signal?.aborted) break;
    try {
      await transact(async (tx) => {
        await tx.sql`select set_config('statement_timeout', ${String(wakingMs)}, true)`;
        await wakeRunsByClock(tx, accountId, options);
      });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};
