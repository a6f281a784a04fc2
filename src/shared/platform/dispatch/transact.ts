import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { asNobody, whoAsks } from '../bulkhead/asker.ts';
import type { Database, Sql } from '../db/connect.ts';
import { createWrites, type Writes } from './writes.ts';
import { asItem, asWake, type Work, type WorkItem, type WorkRow } from './work.ts';

/** A transaction, and the workflows that are started or woken after its commit. */
export type Transaction = {
  sql: Sql;
  /**
   * Sends a statement whose result nobody needs, and waits for it no longer than the transaction takes: it goes together with the next one, which sees
   * what it has written. Where it fails the transaction fails, or the savepoint.
   */
  write: (statement: PendingStatement) => void;
  /** Asks for the workflow of a row that this transaction has made. */
  start: <Row extends WorkRow>(work: Work<Row>, row: Row) => void;
  /** The same of a row that this transaction has made and finished: operators get its workflow while the machine has room. */
  startSpare: <Row extends WorkRow>(work: Work<Row>, row: Row) => void;
  /**
   * Signals the workflows of these rows, of a kind with a `wakeSignal`, after the commit, and starts those that do not run. Several wakes before
   * the workflow reads its row are one signal. Finished rows are skipped. Ids are UUIDs.
   */
  wake: <Row extends WorkRow>(work: Work<Row>, ids: readonly string[]) => Promise<void>;
  /** Runs work that undoes all it has written and asked for when it throws, and lets the transaction go on. Throws what it throws. */
  savepoint: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
};

type PendingStatement = postgres.PendingQuery<postgres.Row[]>;

/**
 * Runs `work` in one transaction. It may run several times, of which only the last commits, so effects outside of SQL (metrics, log lines, HTTP)
 * belong after the transaction.
 *
 * A transaction takes its locks in this order, so that no two wait for each other for long:
 * 1. advisory locks that name what is about to be found or made: keys of contacts, the account's automation, uses of flows;
 * 2. the contact (`contacts/lock-contact.ts`). A transaction tells a fact about a contact under this lock, so its reactions wait for no other holder of it;
 * 3. the contact's runs in the order of their ids, then its conversation, handover, tags and flows. Holders of the contact may take these in any
 *    order; everybody else takes runs alone, conversations in the order of their ids and before their lanes, or skips those that are locked;
 * 4. just before the commit, plans and webhooks in the order of their keys (`webhooks/locks.ts`), then new deliveries.
 *
 * A deadlock that is left costs one of the two a repetition.
 */
export type Transact = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/**
 * Runs one statement that commits by itself, several times if PostgreSQL gives it up. Two statements need `Transact`. `elsewhere` says that the
 * statement uses another pool, and so takes no slot of this one.
 */
export type Autocommit = <Result>(
  work: (statement: Pick<Transaction, 'sql' | 'start'>) => Promise<Result>,
  options?: { elsewhere?: boolean },
) => Promise<Result>;

const triesAtMost = 4;

/** The longest pause before the second try, in ms; it is random, so that the same two transactions do not meet again. */
const pauseMs = 50;

type Dispatch = (items: readonly WorkItem[]) => void;

/** Throws `NoSlot` when its account writes too much at once. */
export const createTransact =
  (db: Database, dispatch: Dispatch, writes: Writes = createWrites(db)): Transact =>
  (work) =>
    untilNotGivenUp(writes, async () => {
      const items: WorkItem[] = [];
      // postgres.js unwraps an array of promises that the callback returns, so the result stands in an object. What is still under way commits
      // with the rest, or PostgreSQL rolls all of it back.
      const { result } = await throwingFirst((failures) =>
        db.begin(async (sql) => ({ result: await work(transactionOn(sql, items, createWritten(failures))) })),
      );
      return { result, items };
    }).then(dispatching(dispatch));

/**
 * Throws what failed first of the work and the statements that nobody has waited for: PostgreSQL refuses all statements of the transaction after it. It
 * answers in their order, so all of them are known once it has answered the end. Of a lost connection, some are never settled.
 */
const throwingFirst = async <Result>(work: (failures: unknown[]) => Promise<Result>): Promise<Result> => {
  const failures: unknown[] = [];
  let result: Result;
  try {
    result = await work(failures);
  } catch (error) {
    throw [...failures, error].find((failure) => codeOf(failure) !== '25P02') ?? error;
  }
  if (failures.length > 0) throw failures[0];
  return result;
};

/** Statements that nobody has waited for, and where they tell that they failed. */
type Written = { statements: PendingStatement[]; failures: unknown[] };

const createWritten = (failures: unknown[] = []): Written => ({ statements: [], failures });

/**
 * The transaction under way on `sql`. `items` gathers what is to be handed over after its commit, `written` the statements that nobody has waited
 * for.
 */
export const transactionOn = (
  sql: postgres.TransactionSql,
  items: WorkItem[],
  written: Written = createWritten(),
): Transaction => ({
  sql,
  write: (statement) => {
    statement.catch((error: unknown) => void written.failures.push(error));
    written.statements.push(statement);
  },
  start: (kind, row) => items.push(asItem(kind, row)),
  startSpare: (kind, row) => items.push({ ...asItem(kind, row), isSpare: true }),
  wake: async (kind, ids) => {
    if (ids.length === 0) return;
    for (const row of await wakeRows(sql, kind, ids)) items.push(asWake(kind, row));
  },
  savepoint: (work) =>
    keepingIfDone([items], async () => {
      const { result } = await throwingFirst((failures) =>
        sql.savepoint(async (inner) => {
          const within = createWritten(failures);
          const made = { result: await work(transactionOn(inner, items, within)) };
          await Promise.all(within.statements);
          return made;
        }),
      );
      return result;
    }),
});

/** Runs work. What it has added to the lists is dropped when it throws. */
export const keepingIfDone = async <Result>(
  lists: readonly unknown[][],
  work: () => Promise<Result>,
): Promise<Result> => {
  const before = lists.map(({ length }) => length);
  try {
    return await work();
  } catch (error) {
    for (const [index, list] of lists.entries()) list.length = before[index] ?? 0;
    throw error;
  }
};

/** Throws as `Transact` does. */
export const createAutocommit =
  (db: Database, dispatch: Dispatch, writes: Writes = createWrites(db)): Autocommit =>
  (work, { elsewhere = false } = {}) =>
    untilNotGivenUp(elsewhere ? unbounded : writes, async () => {
      const items: WorkItem[] = [];
      const result = await work({ sql: db, start: (kind, row) => items.push(asItem(kind, row)) });
      return { result, items };
    }).then(dispatching(dispatch));

const unbounded: Pick<Writes, 'take'> = { take: (_, work) => work() };

/** Dispatches for no account, because the dispatcher outlives the request and serves all accounts. */
const dispatching =
  (dispatch: Dispatch) =>
  <Result>({ result, items }: { result: Result; items: readonly WorkItem[] }): Result => {
    if (items.length > 0) asNobody(() => dispatch(items));
    return result;
  };

const untilNotGivenUp = async <Result>(
  writes: Pick<Writes, 'take'>,
  attempt: () => Promise<Result>,
): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await writes.take(whoAsks(), attempt);
    } catch (error) {
      if (tries === triesAtMost || !isGivenUp(error)) throw error;
      await sleep(Math.random() * tries * pauseMs);
    }
  }
};

/** The time at which the sweep makes up for a lost wake. */
const wakeGrace = (sql: Sql) => sql`clock_timestamp() + interval '5 seconds'`;

/** Marks the rows in the order of their ids, against deadlocks, and answers those that no earlier wake is about to signal. */
const wakeRows = <Row extends WorkRow>(sql: Sql, { table, columns }: Work<Row>, ids: readonly string[]) => sql<Row[]>`
  with awake as materialized (
    select id from ${sql(table)} where id = any(${[...ids]}::uuid[]) and in_progress and not woken order by id for no key update)
  update ${sql(table)} set woken = true, sweep_at = least(sweep_at, ${wakeGrace(sql)})
  where id = any(array(select id from awake)) returning ${columns(sql)}`;

/** Whether PostgreSQL gave the transaction up for a deadlock or a serialisation conflict, so that it may be run again. */
const isGivenUp = (error: unknown): boolean => ['40P01', '40001'].includes(codeOf(error) ?? '');

const codeOf = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError ? error.code : undefined;
