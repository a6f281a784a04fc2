import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { recordAttempt, firstAttempt, noEvidence } from '../../../../src/shared/deliveries/attempts.ts';
import { deliveryWork, type DeliveryWorkRow } from '../../../../src/shared/deliveries/work.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { createSecrets, type Secrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { asItem } from '../../../../src/shared/platform/dispatch/work.ts';
import { forgetReports, nobody, noteReport } from '../../../../src/shared/platform/processes/own-process.ts';
import { aPendingRow } from '../../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { startReceiver } from '../../../helpers/receiver.ts';
import { clientOfSilence } from '../../../helpers/silent-temporal.ts';
import { handTo, leaveOfLease, makeOverdue } from '../../../helpers/states/deliveries.ts';
import { retireWebhooks } from '../../../helpers/states/webhooks.ts';

// Who sends a delivery is never in doubt: the outbox of one process, or a workflow.

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
    attemptsPerWebhook: 4,
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

/** The state of a delivery, and whether it is overdue. */
const stateOf = async ({ id }: DeliveryWorkRow, path: string) => {
  const [row] = await world.db<{ status: string; isDue: boolean }[]>`
    select status, sweep_at <= clock_timestamp() as is_due from deliveries where id = ${id}`;
  return { ...row, attempts: (await world.attempts(id)).length, posts: received(path).length };
};
const unsentAndDue = { status: 'pending', isDue: true, attempts: 0, posts: 0 };

const senderOf = async ({ id }: DeliveryWorkRow): Promise<string | null | undefined> => {
  const [row] = await world.db<{ sender: string | null }[]>`select sender from deliveries where id = ${id}`;
  return row?.sender;
};

describe('for any process to send, the outbox gives back', () => {
  test('a delivery with less than 12 s of its lease left', async () => {
    const [late, early] = [await aRow('/late'), await aRow('/early')];
    await leaveOfLease(world.db, late.id, 11.9);
    await leaveOfLease(world.db, early.id, 14);
    await Promise.all([late, early].map((row) => world.outbox.send(row)));
    await world.outbox.drain();
    expect(await stateOf(late, '/late')).toEqual(unsentAndDue);
    expect(await senderOf(late)).toBe(nobody);
    expect(received('/early')).toHaveLength(1);
  });

  test('a delivery whose process hung between reading and sending', async () => {
    const row = await aRow('/stopped');
    await leaveOfLease(world.db, row.id, 13);
    heldMs = 1_500;
    await world.outbox.send(row);
    await world.outbox.drain();
    expect(await stateOf(row, '/stopped')).toEqual(unsentAndDue);
  });

  test('a delivery whose process has not reported for 3 s', async () => {
    onTestFinished(forgetReports);
    const row = await aRow('/silent');
    await noteReport(async () => {});
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_100);
    await world.outbox.send(row);
    vi.restoreAllMocks();
    await world.outbox.drain();
    expect(await stateOf(row, '/silent')).toEqual(unsentAndDue);
  });

  test('a delivery that could not be read', async () => {
    const row = await aRow('/unread');
    await world.db`alter table attempts rename to attempts_away`;
    await world.outbox.send(row);
    await world.outbox.drain();
    await world.db`alter table attempts_away rename to attempts`;
    expect(await stateOf(row, '/unread')).toEqual(unsentAndDue);
  });
});

test('the outbox leaves out a delivery that another process has claimed', async () => {
  const row = await aRow('/claimed');
  await handTo(world.db, row.id, newUuid());
  await world.outbox.send(row);
  await world.outbox.drain();
  expect(received('/claimed')).toHaveLength(0);
  expect(await stateOf(row, '/claimed')).toEqual({ ...unsentAndDue, isDue: false });
});

test('the outbox does not repeat an attempt that is recorded', async () => {
  const row = await aRow('/recorded');
  const outcome = { outcome: 'failed', reason: 'status', statusCode: 500, durationMs: 1 } as const;
  const attempt = { ...outcome, startedAt: new Date(), generation: 1, evidence: noEvidence };
  await recordAttempt(world.db, { deliveryId: row.id, round: 1, ...firstAttempt }, attempt);
  await world.outbox.send(row);
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

test('one webhook has a bounded number of attempts under way, and the others wait, unswept', async () => {
  await listen();
  const answer = holdAnswers();
  const { webhookId, ...first } = await aRow('/share');
  const rows = [{ webhookId, ...first }];
  while (rows.length < 6) rows.push(await aPendingRow(world.db, { accountId: world.accountId, webhookId }));
  const sending = rows.map((row) => world.outbox.send(row));
  await until(() => received('/share').length === 4);
  expect(await world.sweep()).toBe(0);
  expect(received('/share')).toHaveLength(4);
  answer.resolve();
  await Promise.all(sending);
  await world.outbox.drain();
  expect(received('/share')).toHaveLength(rows.length);
  const statuses = await Promise.all(rows.map(async ({ id }) => (await world.delivery(id)).status));
  expect(statuses).toEqual(rows.map(() => 'delivered'));
  expect(asked).toEqual([]);
});

test('rounds of a bulk replay wait behind live events of their webhook', async () => {
  const answer = holdAnswers();
  const { webhookId, ...first } = await aRow('/lane');
  const rows = [{ webhookId, ...first }];
  while (rows.length < 6) rows.push(await aPendingRow(world.db, { accountId: world.accountId, webhookId }));
  const [bulk, live] = rows.slice(4);
  if (!bulk || !live) throw new Error('too few');
  const sending = rows.slice(0, 4).map((row) => world.outbox.send(row));
  await until(() => received('/lane').length === 4);
  sending.push(world.outbox.send({ ...bulk, inBulk: true }), world.outbox.send(live));
  answer.resolve();
  await Promise.all(sending);
  await world.outbox.drain();
  const order = received('/lane').map(({ headers }) => headers['webhook-id']);
  expect(order.slice(4)).toEqual([live, bulk].map(({ id }) => showId('delivery', id)));
});

test('deliveries that wait for a slot when their process stops are overdue at once', async () => {
  const stopped = await startDeliveryWorld({ workflowPerDelivery: 'on-failure', attemptsPerWebhook: 1 });
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

test('the sweep leaves out deliveries that this process is sending, however late they are', async () => {
  await listen();
  const answer = holdAnswers();
  const row = await aRow('/held');
  const sending = world.outbox.send(row);
  await until(() => received('/held').length === 1);
  await makeOverdue(world.db, row.id);
  await world.sweep();
  expect(asked).not.toContain(workflowOf(row));
  answer.resolve();
  await sending;
  await world.outbox.drain();
  expect(await world.delivery(row.id)).toMatchObject({ status: 'delivered', sweepAt: null });
});
