import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../src/shared/platform/db/connect.ts';

/** How long the service may have a connection back before it is taken from it again, in ms. */
const cutEveryMs = 20;

/** Strangers that come at the same time. */
const atOnce = 20;

/** Connections that are left for the service, which has up to 40, and for the test. */
const leftFree = 50;

export type Strangers = {
  /**
   * Cuts the service's connections and takes every one that PostgreSQL has, so that it gets none (SQLSTATE 53300), until `meanwhile`, which begins
   * when there is none, has ended. Answers when that was, in ms since the epoch.
   */
  crowdOut: (meanwhile: () => Promise<void>) => Promise<number>;
};

/** Strangers come, and leave only what the service needs: they come before the load, because that takes a busy machine seconds. */
export const letStrangersCome = async (db: Database, database: string): Promise<Strangers> => {
  const [{ free }] = await db<[{ free: number }]>`
    select current_setting('max_connections')::int - count(*)::int as free from pg_stat_activity where backend_type = 'client backend'`;
  const strangers: Database[] = [];
  while (strangers.length + atOnce <= free - leftFree) {
    const came = await Promise.all(Array.from({ length: atOnce }, () => connectStranger(database)));
    strangers.push(...came.filter((stranger) => stranger !== undefined));
  }
  return { crowdOut: (meanwhile) => crowdOut({ db, database, strangers }, meanwhile) };
};

type Crowd = { db: Database; database: string; strangers: Database[] };

const crowdOut = async ({ db, database, strangers }: Crowd, meanwhile: () => Promise<void>): Promise<number> => {
  let waiting: Promise<void> | undefined;
  const over = new AbortController();
  while (!over.signal.aborted) {
    await db`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley'`;
    const come = () => Promise.all(Array.from({ length: atOnce }, () => connectStranger(database)));
    let came: Database[];
    do {
      came = (await come()).filter((stranger) => stranger !== undefined);
      strangers.push(...came);
    } while (came.length === atOnce);
    waiting ??= meanwhile().finally(() => over.abort());
    await sleep(cutEveryMs);
  }
  const letGoAtMs = Date.now();
  await waiting;
  await Promise.all(strangers.map((stranger) => stranger.end()));
  return letGoAtMs;
};

/** Undefined when there is no connection left. */
const connectStranger = async (database: string): Promise<Database | undefined> => {
  const stranger = connectDatabase(`${database}?application_name=stranger`, { max: 1 });
  try {
    await stranger`select 1`;
    return stranger;
  } catch (error) {
    await stranger.end();
    if (error instanceof Error && 'code' in error && error.code === '53300') return undefined;
    throw error;
  }
};
