import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatcher } from '../../../src/shared/dispatch/dispatcher.ts';
import { createFirstAttempts } from '../../../src/shared/dispatch/first-attempts.ts';
import type { DeliveryDispatch } from '../../../src/shared/dispatch/requests.ts';
import { newUuid } from '../../../src/shared/ids.ts';

/** A client of a Temporal that takes connections and never says a word. */
const clientOfSilence = async (): Promise<Client> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');
  const connection = Connection.lazy({ address: `127.0.0.1:${bound.port}` });
  onTestFinished(async () => {
    await connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new Client({ connection });
};

const aRequest = (accountId: string): DeliveryDispatch => ({
  type: 'delivery',
  deliveryId: newUuid(),
  accountId,
  webhookId: newUuid(),
  contactId: null,
  eventName: 'new_message',
  variant: 'api',
  round: 1,
  resumed: false,
  resumes: 0,
  isTest: false,
});

test('a full queue is left to the sweep when the process stops while Temporal is silent: only the starts under way are waited for', async () => {
  const client = await clientOfSilence();
  const left: number[] = [];
  const dispatcher = createDispatcher({
    client: () => client,
    firstAttempts: createFirstAttempts(),
    eager: true,
    log: pino({ level: 'silent' }),
    metrics: { dispatched: (outcome, count = 1) => outcome === 'left_to_sweep' && left.push(count) },
  });
  const asked = 20 * 1_000;
  for (let account = 0; account < 20; account += 1) {
    const accountId = newUuid();
    dispatcher.dispatch(Array.from({ length: 1_000 }, () => aRequest(accountId)));
  }
  expect(dispatcher.waiting()).toBeGreaterThan(9_000);

  const sinceMs = performance.now();
  await dispatcher.stop();
  expect(performance.now() - sinceMs).toBeLessThan(15_000);
  expect(dispatcher.waiting()).toBe(0);
  expect(left.reduce((sum, count) => sum + count, 0)).toBe(asked);
}, 40_000);
