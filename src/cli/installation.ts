import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig, type Config } from '../shared/platform/config.ts';
import { connectDatabase, type Database, type DatabaseTarget } from '../shared/platform/db/connect.ts';
import { migrate } from '../shared/platform/db/migrate.ts';
import { attachPostgres } from '../shared/platform/embedded/attach.ts';
import { RequestError } from '../shared/errors.ts';

/** The installation that the environment names, open for one command. */
export type Installation = { config: Config; db: Database };

/**
 * Opens the installation, runs `work` on it, and closes it again in any case. Throws where none was ever started, so that a wrong DATA_DIR is
 * noticed, unless the command `mayBegin` one.
 */
export type UseInstallation = <Result>(
  work: (installation: Installation) => Promise<Result>,
  options?: { mayBegin?: boolean },
) => Promise<Result>;

/**
 * Opens the installation of DATABASE_URL, or the one in DATA_DIR, running or not, and brings its schema up to date first. A signal ends `work`
 * with `Interrupted`, and what was opened is closed all the same.
 */
export const createUseInstallation =
  (env: Record<string, string | undefined>): UseInstallation =>
  async (work, { mayBegin = false } = {}) => {
    const config = parseConfig(env);
    if (!mayBegin && !isThere(config)) {
      const message = `No installation in ${config.dataDir}. Create one with npm start, or set DATA_DIR to another folder.`;
      throw new RequestError('not_found', message);
    }
    return useDatabase(config, async (db) => {
      await bringUpToDate(db);
      return work({ config, db });
    });
  };

/** Somebody waits for the command, and tries again when a backup is done. */
const migrationPatienceMs = 10_000;

const bringUpToDate = async (db: Database): Promise<void> => {
  try {
    await migrate(db, { patienceMs: migrationPatienceMs });
  } catch (error) {
    throw new Error('The database cannot be used', { cause: error });
  }
};

/** Whether there is an installation to look at; one in DATA_DIR is there from its first start on. */
export const isThere = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): boolean =>
  databaseUrl !== undefined || existsSync(join(dataDir, 'run'));

/** The command was told to stop by a signal. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** Runs `work` with the database. A server that was started for it is stopped afterwards, also after Ctrl-C. */
export const useDatabase = async <Result>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (db: Database) => Promise<Result>,
): Promise<Result> => {
  if (databaseUrl !== undefined) return useConnection(databaseUrl, work);
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  // A signal may come while PostgreSQL starts, when nothing waits for this promise yet.
  interrupted.catch(() => {});
  const interrupt = (): void => reject(new Interrupted());
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    const attached = await attachPostgres(dataDir);
    try {
      // After a signal that came earlier nothing is begun.
      await Promise.race([interrupted, Promise.resolve()]);
      return await Promise.race([useConnection(attached.database, work), interrupted]);
    } finally {
      await attached.release();
    }
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
};

const useConnection = async <Result>(
  database: DatabaseTarget,
  work: (db: Database) => Promise<Result>,
): Promise<Result> => {
  const db = connectDatabase(database, { max: 2 });
  try {
    return await work(db);
  } finally {
    await db.end({ timeout: 2 });
  }
};
