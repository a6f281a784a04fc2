import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/shared/platform/db/connect.ts';
import type { Ground } from '../servers.ts';

/** What was seen of locks since the last look. `waiting` are backends that waited for one, summed over the samples. */
export type LockWaits = {
  samples: number;
  waiting: number;
  /** By what they waited for, as `pg_stat_activity` has it. */
  byEvent: Record<string, number>;
  mostAtOnce: number;
  mostConnections: number;
  /** Waits of more than 200 ms, which PostgreSQL has logged. */
  logged: number;
  /** The statements of some of these, without what they were about. */
  statements: string[];
};

export type LockWatch = { take: () => Promise<LockWaits> };

const sampleEveryMs = 50;

/** Samples `pg_stat_activity`, and has PostgreSQL log whoever waits for longer than 200 ms. It ends with the ground. */
export const watchLocks = async ({ dataDir, defer }: Ground, sql: Database): Promise<LockWatch> => {
  await sql`alter system set log_lock_waits = on`;
  await sql`alter system set deadlock_timeout = '200ms'`;
  await sql`select pg_reload_conf()`;
  let seen = none();
  let logFrom = 0;
  const stopped = new AbortController();
  const sample = async (): Promise<void> => {
    const rows = await sql<{ event: string | null; count: number }[]>`
      select case when wait_event_type = 'Lock' then wait_event end as event, count(*)::int
      from pg_stat_activity where application_name = 'parley' group by 1`;
    const waits = rows.filter(({ event }) => event !== null);
    const atOnce = waits.reduce((sum, { count }) => sum + count, 0);
    seen.samples += 1;
    seen.waiting += atOnce;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, atOnce);
    seen.mostConnections = Math.max(
      seen.mostConnections,
      rows.reduce((sum, { count }) => sum + count, 0),
    );
    for (const { event, count } of waits) seen.byEvent[event ?? ''] = (seen.byEvent[event ?? ''] ?? 0) + count;
  };
  const sampling = (async () => {
    while (!stopped.signal.aborted) {
      await sample();
      await sleep(sampleEveryMs);
    }
  })();
  defer(async () => {
    stopped.abort();
    await sampling;
  });
  return {
    take: async () => {
      const text = (await readFile(join(dataDir, 'logs', 'postgres.log'), 'utf8')).slice(logFrom);
      logFrom += text.length;
      const lines = text.split('\n');
      const taken = {
        ...seen,
        logged: lines.filter((line) => line.includes('still waiting for')).length,
        statements: lines
          .flatMap((line, index) =>
            line.includes('still waiting for')
              ? [
                  lines
                    .slice(index + 1, index + 6)
                    .join(' ')
                    .slice(0, 300),
                ]
              : [],
          )
          .slice(0, 20),
      };
      seen = none();
      return taken;
    },
  };
};

const none = (): LockWaits => ({
  samples: 0,
  waiting: 0,
  byEvent: {},
  mostAtOnce: 0,
  mostConnections: 0,
  logged: 0,
  statements: [],
});
