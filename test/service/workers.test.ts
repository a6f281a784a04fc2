import { once } from 'node:events';
import type { Worker as Thread } from 'node:worker_threads';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { createWorkers, type Queue } from '../../src/service/workers.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../helpers/delivery-world.ts';
import { type DevServer, startDevServer } from '../helpers/temporal.ts';

let temporal: DevServer;
let world: DeliveryWorld;
let threads: { thread: Thread; ended: Promise<unknown> }[];

beforeAll(async () => {
  [temporal, world] = await Promise.all([startDevServer(), startDeliveryWorld()]);
});

afterAll(async () => {
  await world.stop();
  await temporal.stop();
});

beforeEach(() => {
  threads = [];
  const note = (thread: Thread): void => void threads.push({ thread, ended: once(thread, 'exit') });
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
});

const create = (queues: Queue[]) =>
  createWorkers(
    { connection: temporal.nativeConnection, namespace: 'default' },
    { queues, activities: world.activities, log: pino({ level: 'silent' }), bundle: inject('workflowBundle') },
  );

const allEnded = () => Promise.all(threads.map(({ ended }) => ended));

test('deliveries run their workflows on one thread and all other queues on another, which ends with the last of them', async () => {
  const workers = await create(['deliveries', 'mail', 'messages', 'maintenance', 'flows']);
  expect(threads).toHaveLength(2);
  const runs = workers.map((worker) => worker.run());
  const last = workers.pop();
  for (const worker of workers) worker.shutdown();
  await Promise.all(runs.slice(0, -1));
  // The thread of deliveries has ended with its only worker.
  await Promise.race(threads.map(({ ended }) => ended));
  expect(threads.filter(({ thread }) => thread.threadId !== -1)).toHaveLength(1);
  last?.shutdown();
  await Promise.all(runs);
  await allEnded();
});

test('workers of which one cannot be made leave no thread behind', async () => {
  // Core takes no second worker for the same queue of one connection.
  await expect(create(['mail', 'mail'])).rejects.toThrow('overlapping worker task types');
  expect(threads).toHaveLength(1);
  await allEnded();
});
