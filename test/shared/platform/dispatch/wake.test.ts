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

/** The smallest work that can be woken: a row that counts the passes of its workflow. */
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
      sweep_at timestamptz default now() + interval '15 seconds', woken boolean not null default false, passes int not null default 0,
      in_progress boolean generated always as (sweep_at is not null) virtual)`;
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: 'walks',
    workflowsPath: fileURLToPath(new URL('walk-workflow.ts', import.meta.url)),
    activities: {
      pass: async (id: string) => {
        const [row] = await db<{ inProgress: boolean }[]>`
          update walks set woken = false, passes = passes + 1, sweep_at = case when in_progress then 'infinity'::timestamptz end
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
  const [row] = await database.db<{ passes: number; woken: boolean; resumes: number }[]>`
    select passes, woken, resumes from walks where id = ${id}`;
  if (!row) throw new Error('no such row');
  return row;
};
const passed = (id: string, times: number): Promise<void> =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject({ passes: times, woken: false }), {
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

test('a wake starts a missing workflow, and has a running one read its row again', async () => {
  const id = await aWalk();
  await wake(id);
  await passed(id, 1);
  await wake(id);
  await passed(id, 2);
  expect(await read(id)).toEqual({ passes: 2, woken: false, resumes: 0 });
});

test('several wakes before the workflow reads its row are one, and none is lost', async () => {
  const id = await aWalk();
  isDeaf = true;
  await wake(id);
  isDeaf = false;
  await wake(id);
  expect(handed).toHaveLength(1);
  expect((await read(id)).woken).toBe(true);
  await sweep(id);
  await passed(id, 1);
  await wake(id);
  expect(handed).toHaveLength(2);
  await passed(id, 2);
});

test('the sweep makes a wake that its process never sent, with or without a running workflow', async () => {
  const id = await aWalk();
  isDeaf = true;
  await wake(id);
  expect(await sweep(id)).toBe(0);
  await passed(id, 1);
  await wake(id);
  expect(await sweep(id)).toBe(0);
  await passed(id, 2);
  expect((await read(id)).resumes).toBe(0);
});

test('a workflow that was terminated before its row was finished gets a successor', async () => {
  const id = await aWalk();
  await wake(id);
  await passed(id, 1);
  await temporal.client.workflow.getHandle(`walk/${id}`).terminate();
  await wake(id);
  expect(await sweep(id)).toBe(1);
  await passed(id, 2);
  expect((await read(id)).resumes).toBe(1);
  await wake(id);
  await passed(id, 3);
});

test('a wake skips a finished row', async () => {
  const id = await aWalk();
  await database.db`update walks set sweep_at = null where id = ${id}`;
  await wake(id);
  expect(handed).toEqual([]);
  expect((await read(id)).woken).toBe(false);
});

test('transactions that wake the same rows in another order do not deadlock', async () => {
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
