import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newUuid } from '../../../../src/shared/ids.ts';
import { createDispatcher } from '../../../../src/shared/platform/dispatch/dispatcher.ts';
import { createSweep } from '../../../../src/shared/platform/dispatch/sweep.ts';
import { createTransact, type Transact } from '../../../../src/shared/platform/dispatch/transact.ts';
import { startOf, type Work, type WorkItem } from '../../../../src/shared/platform/dispatch/work.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { startDevServer, type DevServer } from '../../../helpers/temporal.ts';

/** The smallest work that can be woken: a row that counts how often its workflow has looked at it. */
const walks: Work = {
  kind: 'walk',
  table: 'walks',
  columns: (sql) => sql`id, account_id, resumes`,
  wakeSignal: () => 'wake',
  workflowId: ({ id, resumes }) => `walk/${id}${resumes > 0 ? `/resume/${resumes}` : ''}`,
  lane: ({ accountId }) => ({ accountId, key: accountId }),
  start: ({ id }) => startOf<(id: string) => Promise<void>>('walk', [id], { taskQueue: 'walks' }),
};

const log = pino({ level: 'silent' });
let temporal: DevServer;
let database: TestDatabase;
let worker: Worker;
let running: Promise<void>;
let transact: Transact;
/** What is handed to the dispatcher; nothing is while `isDeaf`. */
const handed: WorkItem[] = [];
let isDeaf = false;

beforeAll(async () => {
  [temporal, database] = await Promise.all([startDevServer(), createTestDatabase()]);
  const { db } = database;
  await db`
    create table walks (
      id uuid primary key default uuidv7(), account_id uuid not null, resumes int not null default 0, sweeps int not null default 0,
      sweep_at timestamptz default now() + interval '15 seconds', woken boolean not null default false, looks int not null default 0,
      in_progress boolean generated always as (sweep_at is not null) virtual)`;
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: 'walks',
    workflowsPath: fileURLToPath(new URL('walk-workflow.ts', import.meta.url)),
    activities: {
      look: async (id: string) => {
        const [row] = await db<{ inProgress: boolean }[]>`
          update walks set woken = false, looks = looks + 1, sweep_at = case when in_progress then 'infinity'::timestamptz end
          where id = ${id} returning in_progress`;
        return row?.inProgress ? 'more' : 'over';
      },
    },
  });
  running = worker.run();
  const client = (): Client => temporal.client;
  const dispatcher = createDispatcher({ client, eager: false, log });
  transact = createTransact(db, (items) => {
    handed.push(...items);
    if (!isDeaf) dispatcher.dispatch(items);
  });
});
beforeEach(() => {
  handed.length = 0;
  isDeaf = false;
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await Promise.all([temporal.stop(), database.drop()]);
});

const aWalk = async (): Promise<string> => {
  const [row] = await database.db<{ id: string }[]>`insert into walks (account_id) values (${newUuid()}) returning id`;
  return row?.id ?? '';
};
const wake = (...ids: string[]): Promise<void> => transact((tx) => tx.wake(walks, ids));
const read = async (id: string) => {
  const [row] = await database.db<{ looks: number; woken: boolean; resumes: number }[]>`
    select looks, woken, resumes from walks where id = ${id}`;
  if (!row) throw new Error('no such row');
  return row;
};
const looked = (id: string, times: number): Promise<void> =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject({ looks: times, woken: false }), {
    timeout: 60_000,
    interval: 20,
  });
const sweep = async (id: string): Promise<number> => {
  await database.db`update walks set sweep_at = now() - interval '1 second' where id = ${id}`;
  return createSweep({
    db: database.db,
    works: [walks],
    client: () => temporal.client,
    temporalAnswers: async () => true,
    log,
  })();
};

test('a wake starts the workflow that is not there, and has the one that is look again', async () => {
  const id = await aWalk();
  await wake(id);
  await looked(id, 1);
  await wake(id);
  await looked(id, 2);
  expect(await read(id)).toEqual({ looks: 2, woken: false, resumes: 0 });
});

test('wakes before the workflow has looked are one, and what they were about is seen', async () => {
  const id = await aWalk();
  isDeaf = true;
  await wake(id);
  isDeaf = false;
  await wake(id);
  expect(handed).toHaveLength(1);
  expect((await read(id)).woken).toBe(true);
  await sweep(id);
  await looked(id, 1);
  await wake(id);
  expect(handed).toHaveLength(2);
  await looked(id, 2);
});

test('a wake that its process never got to send is made by the sweep, whether the workflow runs or was never started', async () => {
  const id = await aWalk();
  isDeaf = true;
  await wake(id);
  expect(await sweep(id)).toBe(0);
  await looked(id, 1);
  await wake(id);
  expect(await sweep(id)).toBe(0);
  await looked(id, 2);
  expect((await read(id)).resumes).toBe(0);
});

test('a workflow that was terminated with its row open is followed by another', async () => {
  const id = await aWalk();
  await wake(id);
  await looked(id, 1);
  await temporal.client.workflow.getHandle(`walk/${id}`).terminate();
  await wake(id);
  expect(await sweep(id)).toBe(1);
  await looked(id, 2);
  expect((await read(id)).resumes).toBe(1);
  await wake(id);
  await looked(id, 3);
});

test('a finished row is not woken', async () => {
  const id = await aWalk();
  await database.db`update walks set sweep_at = null where id = ${id}`;
  await wake(id);
  expect(handed).toEqual([]);
  expect((await read(id)).woken).toBe(false);
});

test('transactions that wake the same rows in another order do not meet in a deadlock', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, aWalk));
  isDeaf = true;
  const rounds = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ids : ids.toReversed()));
  const tries = vi.fn<() => void>();
  const wakeThese = (order: string[]) =>
    transact((tx) => {
      tries();
      return tx.wake(walks, order);
    });
  await Promise.all(rounds.map(wakeThese));
  expect(handed).toHaveLength(20);
  expect(tries).toHaveBeenCalledTimes(rounds.length);
});
