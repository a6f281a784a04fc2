import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { recordAttempt, firstAttempt, noEvidence } from '../../../src/shared/deliveries/attempts.ts';
import { deliveryWork, type DeliveryWorkRow } from '../../../src/shared/deliveries/work.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { createSecrets, type Secrets } from '../../../src/shared/platform/secrets/seal.ts';
import { asItem } from '../../../src/shared/platform/dispatch/work.ts';
import { aPendingRow } from '../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver } from '../../helpers/receiver.ts';
import { clientOfSilence } from '../../helpers/silent-temporal.ts';
import { makeOlder, makeOverdue } from '../../helpers/states/deliveries.ts';
import { retireWebhooks } from '../../helpers/states/webhooks.ts';

// Who sends a delivery is never in doubt: the outbox of the process that committed it, or a workflow.

/** How long the process is held when it has read an attempt and is about to send it, in ms. */
let heldMs = 0;

const secretsOfAHeldProcess = (): Secrets => {
  const secrets = createSecrets(randomBytes(32));
  const open: Secrets['open'] = (...sealed) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, heldMs);
    return secrets.open(...sealed);
  };
  return { ...secrets, open };
};

const [world, receiver] = await Promise.all([
  startDeliveryWorld({
    workflowPerDelivery: 'on-failure',
    firstAttemptsPerWebhook: 4,
    secrets: secretsOfAHeldProcess(),
  }),
  startReceiver(),
]);
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

/** The ids of the workflows that Temporal was asked for. */
const asked: string[] = [];
const listen = async (): Promise<void> => {
  const startWithDetails = async ({ options }: { options: { workflowId: string } }) => {
    asked.push(options.workflowId);
    return { runId: newUuid(), eagerlyStarted: false };
  };
  world.useClient(await clientOfSilence({ interceptors: { workflow: [{ startWithDetails }] } }));
  onTestFinished(() => world.useClient(undefined));
};

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 30_000, interval: 10 });

beforeEach(async () => {
  asked.length = 0;
  heldMs = 0;
  receiver.respondWith([200]);
  await retireWebhooks(world.db);
});

const received = (path: string) => receiver.requests.filter((request) => request.path === path);
const aRow = async (path: string): Promise<DeliveryWorkRow> => {
  const webhookId = await world.aWebhook({ url: receiver.url(path) });
  return aPendingRow(world.db, { accountId: world.accountId, webhookId });
};
const workflowOf = ({ id }: DeliveryWorkRow): string => `delivery/${showId('delivery', id)}`;

/** What has become of a delivery, and whether the sweep looks at it now. */
const stateOf = async ({ id }: DeliveryWorkRow, path: string) => {
  const [row] = await world.db<{ status: string; isDue: boolean }[]>`
    select status, sweep_at <= clock_timestamp() as is_due from deliveries where id = ${id}`;
  return { ...row, attempts: (await world.attempts(id)).length, posts: received(path).length };
};
const unsentAndDue = { status: 'pending', isDue: true, attempts: 0, posts: 0 };

describe('is left to the sweep, which looks at it at once', () => {
  test('a delivery that could not begin within three seconds of its commit', async () => {
    const row = await aRow('/late');
    await world.outbox.send(row, performance.now() - 3_001);
    await world.outbox.drain();
    expect(await stateOf(row, '/late')).toEqual(unsentAndDue);
  });

  test('a delivery whose transaction had taken three seconds when it committed, since its grace began before', async () => {
    const row = await aRow('/long');
    await makeOlder(world.db, row.id, { seconds: 3 });
    await world.outbox.send(row, performance.now());
    await world.outbox.drain();
    expect(await stateOf(row, '/long')).toEqual(unsentAndDue);
  });

  test('a delivery whose process was held between reading and sending it', async () => {
    const row = await aRow('/stopped');
    heldMs = 200;
    await world.outbox.send(row, performance.now() - 2_900);
    await world.outbox.drain();
    expect(await stateOf(row, '/stopped')).toEqual(unsentAndDue);
  });

  test('a delivery that could not be read', async () => {
    const row = await aRow('/unread');
    await world.db`alter table attempts rename to attempts_away`;
    await world.outbox.send(row, performance.now());
    await world.outbox.drain();
    await world.db`alter table attempts_away rename to attempts`;
    expect(await stateOf(row, '/unread')).toEqual(unsentAndDue);
  });
});

test('an attempt that is recorded already is not made again', async () => {
  const row = await aRow('/recorded');
  const outcome = { outcome: 'failed', reason: 'status', statusCode: 500, durationMs: 1 } as const;
  const attempt = { ...outcome, startedAt: new Date(), generation: 1, evidence: noEvidence };
  await recordAttempt(world.db, { deliveryId: row.id, ...firstAttempt }, attempt);
  await world.outbox.send(row, performance.now());
  await world.outbox.drain();
  expect(received('/recorded')).toHaveLength(0);
});

/** The receiver answers 200, to all at once, when the test says so. */
const holdAnswers = () => {
  const answer = Promise.withResolvers<void>();
  receiver.respondWith(async () => {
    await answer.promise;
    return 200;
  });
  return answer;
};

test('one webhook gets its share of places; what finds none waits for one, unswept, and goes straight', async () => {
  await listen();
  const answer = holdAnswers();
  const { webhookId, ...first } = await aRow('/share');
  const rows = [{ webhookId, ...first }];
  while (rows.length < 6) rows.push(await aPendingRow(world.db, { accountId: world.accountId, webhookId }));
  const committedMs = performance.now() - 1_400;
  const sending = rows.map((row) => world.outbox.send(row, committedMs));
  const [waiting] = rows.slice(4);
  const bornSweepAt = (await world.delivery(waiting?.id ?? '')).sweepAt?.getTime() ?? 0;
  await until(async () => ((await world.delivery(waiting?.id ?? '')).sweepAt?.getTime() ?? 0) > bornSweepAt);
  // Longer than the time that it was born with.
  await until(() => performance.now() > committedMs + 3_100);
  expect(received('/share')).toHaveLength(4);
  answer.resolve();
  await Promise.all(sending);
  await world.outbox.drain();
  expect(received('/share')).toHaveLength(rows.length);
  const statuses = await Promise.all(rows.map(async ({ id }) => (await world.delivery(id)).status));
  expect(statuses).toEqual(rows.map(() => 'delivered'));
  expect(asked).toEqual([]);
});

test('what waits for a place when its process stops is the sweep’s at once', async () => {
  const stopped = await startDeliveryWorld({ workflowPerDelivery: 'on-failure', firstAttemptsPerWebhook: 1 });
  onTestFinished(() => stopped.stop());
  const answer = holdAnswers();
  const webhookId = await stopped.aWebhook({ url: receiver.url('/stops') });
  const { accountId, db, outbox } = stopped;
  const [sent, waits] = [
    await aPendingRow(db, { accountId, webhookId }),
    await aPendingRow(db, { accountId, webhookId }),
  ];
  stopped.dispatcher.dispatch([sent, waits].map((row) => asItem(deliveryWork, row)));
  await until(() => received('/stops').length === 1);
  outbox.close();
  await until(async () => ((await stopped.delivery(waits.id)).sweepAt?.getTime() ?? Infinity) <= Date.now());
  answer.resolve();
  await stopped.dispatcher.drain();
  await outbox.drain();
  expect(await stopped.delivery(sent.id)).toMatchObject({ status: 'delivered' });
  expect(await stopped.delivery(waits.id)).toMatchObject({ status: 'pending', attemptsMade: 0 });
  expect(received('/stops')).toHaveLength(1);
});

test('the sweep starts no workflow for what this process is sending, however late it is', async () => {
  await listen();
  const answer = holdAnswers();
  const row = await aRow('/held');
  await world.outbox.send(row, performance.now());
  await until(() => received('/held').length === 1);
  await makeOverdue(world.db, row.id);
  await world.sweep();
  expect(asked).not.toContain(workflowOf(row));
  answer.resolve();
  await world.outbox.drain();
  expect(await world.delivery(row.id)).toMatchObject({ status: 'delivered', sweepAt: null });
});
