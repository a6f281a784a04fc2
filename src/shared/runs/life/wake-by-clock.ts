import { changed } from '../../facts/changed.ts';
import type { EventTransact, Writer } from '../../facts/tell.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { atItsPlace } from './wake-runs.ts';

/** The most runs that one statement wakes. */
const wokenAtOnce = 1_000;

/** The most accounts of one call of `wakeByChangedClocks`. */
const accountsAtOnce = 20;

type Options = { atOnce?: number };

/**
 * Wakes the next runs that wait by the account's clock, because it has changed: some every second, of all that are left. Answers whether more may be
 * left; not where another process is at it. Call it after the commit of that change: a pass that began before it then holds its run, which is
 * waited for, or has ended.
 */
export const wakeRunsByClock = async (
  { sql, tell }: Writer,
  accountId: string,
  { atOnce = wokenAtOnce }: Options = {},
): Promise<boolean> => {
  const [row] = await sql<[{ isMore: boolean }]>`
    with noted as materialized (
      select account_id, last_run_id, woken from clock_changes where account_id = ${accountId} for update skip locked
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
 * each account some, those first that have had the least.
 */
export const wakeByChangedClocks = async (
  { db, transact }: { db: Sql; transact: EventTransact },
  signal?: AbortSignal,
  options?: Options,
): Promise<void> => {
  const noted = await db<{ accountId: string }[]>`
    select account_id from clock_changes order by woken, account_id limit ${accountsAtOnce}`;
  for (const { accountId } of noted) {
    if (signal?.aborted) return;
    await transact(async (tx) => {
      await wakeRunsByClock(tx, accountId, options);
    });
  }
};
