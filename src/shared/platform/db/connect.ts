import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { replaceOnLoss, type ReplaceOptions } from './replace-on-loss.ts';

/** The pool, or the connection of a transaction: queries take either. */
export type Sql = postgres.Sql | postgres.TransactionSql;

/** A piece of a query, to be put into another one; or a query that nothing has asked for yet. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** A pool of connections. */
export type Database = postgres.Sql;

/** Where PostgreSQL is: a url, also in libpq's form for a socket, `postgres://user@%2Ffolder/database`. */
export type DatabaseTarget = string;

/** Settings of PostgreSQL for each connection of a pool. */
type Settings = Readonly<Record<string, string | number>>;

/**
 * A pool towards `target`; connects with the first query. Columns come out in camel case (only their names: JSON inside
 * them is left alone), queries are prepared and pipelined. For a pool that lasts give `probeMs`.
 */
export const connectDatabase = (
  target: DatabaseTarget,
  { max = 20, settings = {}, ...watching }: { max?: number; settings?: Settings } & ReplaceOptions = {},
): Database =>
  replaceOnLoss(
    (hooks) =>
      postgres(target, {
        ...socketOf(target),
        ...hooks,
        max,
        onnotice: () => {},
        // A connection that has come of age would be taken for a lost one.
        max_lifetime: null,
        transform: { column: postgres.camel.column },
        // No statement of ours takes long, but for migrations, which lift this for themselves.
        connection: {
          application_name: 'parley',
          TimeZone: 'UTC',
          statement_timeout: 30_000,
          idle_in_transaction_session_timeout: 60_000,
          // Where many partitions make a plan look dear, compiling it at each execution costs more than all of its rows.
          jit: 'off',
          ...settings,
        },
        connect_timeout: 10,
      }),
    watching,
  );

/** A socket has its folder, percent-encoded, in the host's place of the url; postgres.js wants it beside the url. */
const socketOf = (target: DatabaseTarget): { host?: string } => {
  const host = decodeURIComponent(URL.parse(target)?.hostname ?? '');
  return host.startsWith('/') ? { host } : {};
};

/** A database that takes longer than this to say `select 1` counts as down, in ms. */
const healthDeadlineMs = 2_000;

/** Whether the database answers a query now. */
export const databaseAnswers = async (sql: Sql): Promise<boolean> => {
  try {
    return await Promise.race([sql`select 1`.then(() => true), sleep(healthDeadlineMs, false, { ref: false })]);
  } catch {
    return false;
  }
};
