import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../platform/db/connect.ts';
import { deleteOldRows } from './rows.ts';
import { dropWeek, listOldWeeks, type Drop } from './weeks.ts';

/** What retention did. Only numbers, because it stands in a workflow's history. */
export type RetentionReport = {
  weeksDropped: number;
  /** Deliveries of the dropped weeks, as the planner estimated them. */
  deliveriesDropped: number;
  bytesFreed: number;
  /** Weeks that are old enough but have a round in progress; the next run looks again. */
  weeksInProgress: number;
  roundsInProgress: number;
  /** Weeks left to the next run, because others held the tables. */
  weeksInUse: number;
  /** Old rows that were deleted elsewhere: default partitions, mails, bulk replays, runs, statistics, keys, webhooks. */
  rowsDeleted: number;
};

export type RetentionOptions = {
  retentionDays: number;
  /** The pauses between the tries to drop a week that is in use, in ms. Others use the tables meanwhile. */
  pausesMs?: readonly number[];
  signal?: AbortSignal | undefined;
};

const seconds = (...values: readonly number[]) => values.map((value) => value * 1_000);

/**
 * Removes what is older than the retention. It drops the partitions of whole weeks of events, deliveries (parked ones, too) and attempts,
 * and deletes the few old rows elsewhere in batches. Writers wait for a fraction of a second at most. Idempotent; several may run at the
 * same time. Throws when PostgreSQL is away or `signal` aborts.
 */
export const applyRetention = async (
  sql: Sql,
  { retentionDays, pausesMs = seconds(1, 2, 4, 8), signal }: RetentionOptions,
): Promise<RetentionReport> => {
  const weeks = await listOldWeeks(sql, retentionDays);
  const outcomes: (Drop | 'not tried')[] = [];
  for (const { week, roundsInProgress } of weeks) {
    // A reader that holds a log holds all of its weeks: after one week in use, the others would be in use as well.
    if (outcomes.includes('in use')) outcomes.push('not tried');
    else if (roundsInProgress > 0) outcomes.push('in progress');
    else outcomes.push(await tryToDrop(sql, week, { pausesMs, signal }));
  }
  let rowsDeleted = 0;
  for (let deleted = -1; deleted !== 0; rowsDeleted += deleted) {
    signal?.throwIfAborted();
    deleted = await deleteOldRows(sql, retentionDays);
  }
  const which = (...wanted: (Drop | 'not tried')[]) =>
    weeks.filter((_, index) => wanted.some((outcome) => outcome === outcomes[index]));
  const dropped = which('dropped');
  const kept = which('in progress');
  return {
    weeksDropped: dropped.length,
    deliveriesDropped: sum(dropped.map(({ deliveries }) => deliveries)),
    bytesFreed: sum(dropped.map(({ bytes }) => bytes)),
    weeksInProgress: kept.length,
    roundsInProgress: sum(kept.map(({ roundsInProgress }) => roundsInProgress)),
    weeksInUse: which('in use', 'not tried').length,
    rowsDeleted,
  };
};

/** Tries after each pause until the tables are free for a moment. */
const tryToDrop = async (
  sql: Sql,
  week: string,
  { pausesMs, signal }: { pausesMs: readonly number[]; signal: AbortSignal | undefined },
): Promise<Drop> => {
  for (const pauseMs of pausesMs) {
    signal?.throwIfAborted();
    const outcome = await dropWeek(sql, week);
    if (outcome !== 'in use') return outcome;
    await sleep(pauseMs, undefined, { signal });
  }
  return dropWeek(sql, week);
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
