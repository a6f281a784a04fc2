import {
  type EventAutocommit,
  type EventTransact,
  type Reactions,
  withReactions,
  withTopics,
} from '../../src/shared/facts/tell.ts';
import type { TellTopics, Topic } from '../../src/shared/facts/topics.ts';
import type { Database, Sql } from '../../src/shared/platform/db/connect.ts';
import {
  createTransact,
  type Autocommit,
  type Transact,
  type Transaction,
} from '../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { topicsOfTable } from './table-topics.ts';

type Told = {
  tellTopics?: TellTopics;
  /** Hears of what was written and not told. It throws when not given. */
  onUntold?: (fault: string) => void;
};

const fail = (fault: string): never => {
  throw new Error(fault);
};

/** As `withReactions`, for tests: a committed transaction that wrote to a table must have told its topics. */
export const withToldReactions =
  (reactions: Reactions, transact: Transact, told: Told = {}): EventTransact =>
  (work) =>
    checking(told, (note, tellTopics) =>
      withReactions(
        reactions,
        (inner) =>
          transact(async (tx) => {
            const { watched, hasUndone, ofWakes } = watchTransaction(tx);
            const before = await countWritten(tx.sql);
            const result = await inner(watched);
            // What a savepoint has undone is counted, too.
            if (!hasUndone()) note({ before: plus(before, ofWakes()), after: await countWritten(tx.sql) });
            return result;
          }),
        tellTopics,
      )(work),
    );

/** As `withTopics`, for tests: a statement that wrote to a table must have told its topics. What is written elsewhere is not seen. */
export const withToldTopics =
  (autocommit: Autocommit, db: Database, told: Told = {}): EventAutocommit =>
  (work, options) =>
    checking(told, (note, tellTopics) => {
      const counted: Autocommit = (inner, how) =>
        how?.elsewhere
          ? autocommit(inner, how)
          : autocommit(async (statement) => {
              const { result } = await db.begin(async (sql) => {
                const before = await countWritten(sql);
                const made = { result: await inner({ ...statement, sql }) };
                note({ before, after: await countWritten(sql) });
                return made;
              });
              return result;
            }, how);
      return withTopics(counted, tellTopics)(work, options);
    });

/** Transactions with every reaction, from which nothing is carried out. */
export const toldTransact = (db: Database): EventTransact =>
  withToldReactions(
    reactions,
    createTransact(db, () => {}),
  );

type Counts = { before: Written; after: Written };

const checking = async <Result>(
  { tellTopics = () => {}, onUntold = fail }: Told,
  run: (note: (counts: Counts) => void, tellTopics: TellTopics) => Promise<Result>,
): Promise<Result> => {
  let written: Counts | undefined;
  const topics = new Set<Topic>();
  const result = await run(
    (counts) => (written = counts),
    (changed, talks) => {
      for (const its of changed.values()) for (const topic of its) topics.add(topic);
      tellTopics(changed, talks);
    },
  );
  const fault = written && findUntold(written, topics);
  if (fault) onUntold(fault);
  return result;
};

/** Knows of savepoints that were rolled back, and how much wakes have written, which no page shows. */
const watchTransaction = (transaction: Transaction) => {
  let undone = false;
  let ofWakes: Written = new Map();
  const watch = (tx: Transaction): Transaction => ({
    ...tx,
    wake: async (work, ids) => {
      const before = await countWritten(tx.sql);
      await tx.wake(work, ids);
      ofWakes = plus(ofWakes, minus(await countWritten(tx.sql), before));
    },
    savepoint: async (work) => {
      try {
        return await tx.savepoint((inner) => work(watch(inner)));
      } catch (error) {
        undone = true;
        throw error;
      }
    },
  });
  return { watched: watch(transaction), hasUndone: () => undone, ofWakes: () => ofWakes };
};

/** How many rows this connection has inserted, updated and deleted, by table. Weeks of a log count as the log. */
type Written = ReadonlyMap<string, number>;

const plus = (some: Written, more: Written): Written =>
  new Map(
    [...new Set([...some.keys(), ...more.keys()])].map((table) => [
      table,
      (some.get(table) ?? 0) + (more.get(table) ?? 0),
    ]),
  );

const minus = (all: Written, some: Written): Written =>
  new Map([...all].map(([table, rows]) => [table, rows - (some.get(table) ?? 0)]));

/** It counts what was committed and not reported yet, too, so that only differences say something. */
const countWritten = async (sql: Sql): Promise<Written> => {
  const rows = await sql<{ name: string; rows: number }[]>`
    select coalesce(log.relname, c.relname) as name,
      sum(pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid))::int as rows
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class log on log.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
};

/** What was written and not told, in words; undefined where all was told. */
const findUntold = ({ before, after }: Counts, told: ReadonlySet<Topic>): string | undefined => {
  const tables = [...after.keys()].filter((table) => (after.get(table) ?? 0) > (before.get(table) ?? 0));
  const untold = tables.flatMap((table) => {
    const topics = topicsOfTable[table];
    if (!topics) return [`${table}, which test/helpers/table-topics.ts does not know`];
    if ('none' in topics || topics.every((topic) => told.has(topic))) return [];
    return [`${table} (${topics.join(', ')})`];
  });
  if (untold.length === 0) return undefined;
  return `A transaction wrote to ${untold.join(' and ')} and told only of ${[...told].join(', ') || 'nothing'}`;
};
