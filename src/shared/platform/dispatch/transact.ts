import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Database, Sql } from '../db/connect.ts';
import { asItem, asWake, type Work, type WorkItem, type WorkRow } from './work.ts';

/** A transaction under way: its queries, and the workflows that it wants started once it has committed. */
export type Transaction = {
  sql: Sql;
  /** Asks for the workflow of a row that this transaction has made. */
  start: <Row extends WorkRow>(work: Work<Row>, row: Row) => void;
  /**
   * Says that there is something new for these rows, of a kind with a `wakeSignal`: their workflows are signalled, and started
   * where they are not there. However often a row is woken before its workflow has looked, that is one signal; finished rows are
   * passed by. Ids are UUIDs.
   */
  wake: <Row extends WorkRow>(work: Work<Row>, ids: readonly string[]) => Promise<void>;
};

/**
 * Runs `work` in one transaction; what it asked to start is handed on after the commit, and only then. `work` may be run
 * several times, of which one counts: what it does outside of SQL (metrics, log lines, HTTP, lists of its caller) stands behind
 * it, not in it.
 */
export type Transact = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** A transaction is tried so often when PostgreSQL gives it up for another one's sake. */
const triesAtMost = 4;

/** Before another try, a random time of up to so many ms for each try made: whoever met here does not meet again. */
const pauseMs = 50;

/** The one way to write something that a workflow follows: routes and activities both use it, so both dispatch. */
export const createTransact =
  (db: Database, dispatch: (items: readonly WorkItem[]) => void): Transact =>
  async (work) => {
    for (let tries = 1; ; tries += 1) {
      const items: WorkItem[] = [];
      try {
        // The result is boxed: postgres.js unwraps arrays of promises that it gets from the callback.
        const { result } = await db.begin(async (sql) => ({
          result: await work({
            sql,
            start: (kind, row) => items.push(asItem(kind, row)),
            wake: async (kind, ids) => {
              for (const row of await wakeRows(sql, kind, ids)) items.push(asWake(kind, row));
            },
          }),
        }));
        if (items.length > 0) dispatch(items);
        return result;
      } catch (error) {
        if (tries === triesAtMost || !isGivenUp(error)) throw error;
        await sleep(Math.random() * tries * pauseMs);
      }
    }
  };

/** The sweep makes up for a wake that was lost after so long. */
const wakeGrace = (sql: Sql) => sql`clock_timestamp() + interval '5 seconds'`;

/** Marks the rows in the order of their ids, and answers those that nobody has marked before: the others have their signal coming. */
const wakeRows = <Row extends WorkRow>(sql: Sql, { table, columns }: Work<Row>, ids: readonly string[]) => sql<Row[]>`
  with awake as materialized (
    select id from ${sql(table)} where id = any(${[...ids]}::uuid[]) and in_progress and not woken order by id for no key update)
  update ${sql(table)} set woken = true, sweep_at = least(sweep_at, ${wakeGrace(sql)})
  where id = any(array(select id from awake)) returning ${columns(sql)}`;

/** A deadlock, or a conflict of serialisation: nothing of the transaction is left, and nothing is wrong with it. */
const isGivenUp = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === '40P01' || error.code === '40001');
