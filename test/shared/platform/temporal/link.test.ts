import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createWorkers } from '../../../../src/service/workers.ts';
import { connectTemporal } from '../../../../src/shared/platform/temporal/connect.ts';
import { linkTemporal } from '../../../../src/shared/platform/temporal/link.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { startDevServer } from '../../../helpers/temporal.ts';
import { byTheClock } from '../../../helpers/by-the-clock.ts';

const silent = pino({ level: 'silent' });

test('a link to a server that never says a word stops at once', byTheClock, async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');
  const link = linkTemporal({
    connect: () => connectTemporal({ embedded: `127.0.0.1:${bound.port}` }),
    createWorkers: async () => [],
    log: silent,
  });
  await vi.waitUntil(() => sockets.length > 0, { timeout: 60_000 });
  const sinceMs = performance.now();
  await link.stop();
  expect(performance.now() - sinceMs).toBeLessThan(2_000);
});

test('when one of the workers cannot be made the log says why, and the connection is closed', async () => {
  const [temporal, world] = await Promise.all([startDevServer(), startDeliveryWorld()]);
  onTestFinished(async () => {
    await world.stop();
    await temporal.stop();
  });
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const { activities } = world;
  const link = linkTemporal({
    connect: () => connectTemporal({ embedded: temporal.address }),
    // Core takes no second worker for the same queue of one connection.
    createWorkers: (connection) =>
      createWorkers(connection, {
        queues: ['mail', 'mail'],
        activities,
        log: silent,
        bundle: inject('workflowBundle'),
      }),
    log,
  });
  onTestFinished(link.stop);
  await vi.waitUntil(() => lines.length > 0, { timeout: 60_000 });
  await link.stop();
  expect(lines[0]).toContain('overlapping worker task types');
  expect(lines.join('')).not.toContain('temporal.unclosed');
});

test('a server whose namespace was deprecated does not answer: no workflow could start', async () => {
  const [temporal, world] = await Promise.all([startDevServer(), startDeliveryWorld()]);
  onTestFinished(async () => {
    await world.stop();
    await temporal.stop();
  });
  const { activities } = world;
  const link = linkTemporal({
    connect: () => connectTemporal({ embedded: temporal.address }),
    createWorkers: (connection) =>
      createWorkers(connection, { queues: ['mail'], activities, log: silent, bundle: inject('workflowBundle') }),
    log: silent,
  });
  onTestFinished(link.stop);
  await vi.waitUntil(link.answers, { timeout: 60_000 });
  await temporal.nativeConnection.workflowService.deprecateNamespace({ namespace: 'default' });
  expect(await link.answers()).toBe(false);
});

test('a link tells that its workers stop and run again when one of them ends by itself', async () => {
  const [temporal, world] = await Promise.all([startDevServer(), startDeliveryWorld()]);
  onTestFinished(async () => {
    await world.stop();
    await temporal.stop();
  });
  const { activities } = world;
  const told: string[] = [];
  const made: Worker[] = [];
  const link = linkTemporal({
    connect: () => connectTemporal({ embedded: temporal.address }),
    createWorkers: async (connection) => {
      const workers = await createWorkers(connection, {
        queues: ['mail'],
        activities,
        log: silent,
        bundle: inject('workflowBundle'),
      });
      made.push(...workers);
      return workers;
    },
    onRun: () => told.push('run'),
    onStop: () => told.push('stop'),
    log: silent,
  });
  onTestFinished(link.stop);
  await vi.waitUntil(link.workersRunning, { timeout: 60_000 });
  made[0]?.shutdown();
  await vi.waitUntil(() => made.length === 2 && link.workersRunning(), { timeout: 60_000 });
  expect(told).toEqual(['run', 'stop', 'run']);
});
