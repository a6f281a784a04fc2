import postgres from 'postgres';
import { withDeadline } from '../deadline.ts';
import { parseJson } from '../json/parse-json.ts';
import { replaceOnLoss, type ReplaceOptions } from './replace-on-loss.ts';

/** The pool, or the connection of a transaction: queries take either. */
export type Sql = postgres.Sql | postgres.TransactionSql;

/** A piece of SQL that is put into a query. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** A pool of connections. */
export type Database = postgres.Sql;

/** Where PostgreSQL is: a url, also in libpq's form for a socket, `postgres://user@%2Ffolder/database`. */
export type DatabaseTarget = string;

type OnNotify = (channel: string, payload: string) => void;

/** Settings of PostgreSQL for each connection of a pool. */
type Settings = Readonly<Record<string, string | number>>;

/**
 * Makes a pool of connections to `target`; the first query connects. Names of columns come out in camel case, JSON inside them is
 * left alone. Queries are prepared and pipelined. A pool that lasts needs `probeMs`. `onNotify` gets the channel and payload of what is
 * notified to connections that listen.
 */
export const connectDatabase = (
  target: DatabaseTarget,
  {
    max = 12,
    settings = {},
    onNotify,
    ...watching
  }: { max?: number; settings?: Settings; onNotify?: OnNotify } & ReplaceOptions = {},
): Database =>
  replaceOnLoss(
    (hooks) =>
      postgres(target, {
        ...socketOf(target),
        ...hooks,
        ...notified(onNotify),
        max,
        onnotice: () => {},
        // A connection that the pool closes for its age would be taken for a lost one.
        max_lifetime: null,
        transform: { column: postgres.camel.column },
        types: { json: exactJson },
        // Only migrations take longer, and they lift this for themselves.
        connection: {
          application_name: 'parley',
          TimeZone: 'UTC',
          statement_timeout: 30_000,
          idle_in_transaction_session_timeout: 60_000,
          // Many partitions make a plan look expensive. Compiling it at each execution costs more than running it.
          jit: 'off',
          // As texts: postgres.js leaves out the number 0.
          ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
        },
        connect_timeout: 10,
      }),
    watching,
  );

/** An option of postgres.js (3.4.9) that its types leave out. Its own `listen` opens a connection that `replaceOnLoss` cannot replace. */
const notified = (onNotify?: OnNotify) => onNotify && { onnotify: onNotify };

/** JSON as postgres.js reads and writes it, but for numbers that a double would change: PostgreSQL holds all of their digits. */
const exactJson = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown): string => JSON.stringify(value),
  parse: parseJson,
};

/** A url names a socket's folder, percent-encoded, in the place of the host. postgres.js wants the folder beside the url. */
const socketOf = (target: DatabaseTarget): { host?: string } => {
  const host = decodeURIComponent(URL.parse(target)?.hostname ?? '');
  return host.startsWith('/') ? { host } : {};
};

/** A database that takes longer than this to say `select 1` counts as down, in ms. */
const healthDeadlineMs = 2_000;

/** Whether the database answers a query now. */
export const databaseAnswers = (sql: Sql): Promise<boolean> =>
  withDeadline(healthDeadlineMs, 'select 1', () => sql`select 1`).then(
    () => true,
    () => false,
  );
