import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { firstAttempt, noEvidence, type AttemptRecord } from '../../../src/shared/deliveries/attempts.ts';
import {
  connectForAttempts,
  createSharedAttempts,
  type SharedAttempts,
} from '../../../src/shared/deliveries/shared-attempts.ts';
import type { Database } from '../../../src/shared/platform/db/connect.ts';
import { connectOverheard, untilSomebodyWaits } from '../../helpers/database.ts';
import { aPendingRow } from '../../helpers/deliveries.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';

let world: DeliveryWorld;
let webhookId: string;
let forAttempts: Database;
let shared: SharedAttempts;
beforeAll(async () => {
  world = await startDeliveryWorld();
  webhookId = await world.aWebhook({ url: 'https://receiver.example/hook' });
  forAttempts = connectForAttempts(world.target);
  shared = createSharedAttempts({ db: world.db, forAttempts });
});
afterAll(async () => {
  await forAttempts.end();
  await world.stop();
});

const someIds = async (count: number): Promise<string[]> => {
  const rows = Array.from({ length: count }, () => aPendingRow(world.db, { accountId: world.accountId, webhookId }));
  return (await Promise.all(rows)).map(({ id }) => id);
};
const firstOf = (deliveryId: string) => ({ deliveryId, ...firstAttempt });
const success = (): AttemptRecord => ({
  outcome: 'succeeded',
  startedAt: new Date(),
  durationMs: 1,
  generation: 1,
  evidence: noEvidence,
});
const failure = (): AttemptRecord => ({ ...success(), outcome: 'failed', reason: 'timeout' });

const statusOf = async (id: string) => (await world.delivery(id)).status;

test('attempts that come at the same time are read by one statement and recorded by one, each with its own outcome', async () => {
  const statements: string[] = [];
  const overheard = connectOverheard(world.target, (statement) => statements.push(statement.trim()));
  onTestFinished(() => overheard.end());
  await overheard`select 1`;
  statements.length = 0;
  const by = createSharedAttempts({ db: world.db, forAttempts: overheard });
  const ids = await someIds(20);

  const found = await Promise.all(ids.map((id) => by.find(firstOf(id))));
  expect(found.map((due) => due?.id)).toEqual(ids);
  expect(statements).toHaveLength(1);

  const [failing = '', ...well] = ids;
  const ended = await Promise.all(ids.map((id) => by.record(firstOf(id), id === failing ? failure() : success())));
  expect(statements).toHaveLength(2);
  expect(ended.map((end) => end?.deliveryId)).toEqual([undefined, ...well]);
  expect(await Promise.all(ids.map(statusOf))).toEqual(['retrying', ...well.map(() => 'delivered')]);
});

test('a delivery that somebody has locked holds up no attempt but its own', async () => {
  const [locked = '', ...free] = await someIds(6);
  let held: Promise<unknown> | undefined;
  await world.db.begin(async (holder) => {
    await holder`select from deliveries where id = ${locked} for update`;
    held = shared.record(firstOf(locked), success());
    await Promise.all(free.map((id) => shared.record(firstOf(id), success())));
    expect(await Promise.all(free.map(statusOf))).toEqual(free.map(() => 'delivered'));
    await untilSomebodyWaits(world.db);
  });
  await held;
  expect(await statusOf(locked)).toBe('delivered');
});

test('two attempts of one delivery that end at the same time are both recorded', async () => {
  const [id = '', other = ''] = await someIds(2);
  await Promise.all([
    shared.record(firstOf(other), success()),
    shared.record(firstOf(id), failure()),
    shared.record({ ...firstOf(id), kind: 'manual' }, success()),
  ]);
  expect((await world.attempts(id)).map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted()).toEqual([
    'manual succeeded',
    'scheduled failed',
  ]);
  expect(await statusOf(id)).toBe('delivered');
});

test('what was recorded where its connection was lost is not recorded twice', async () => {
  const lost = connectForAttempts(world.target);
  await lost.end();
  const by = createSharedAttempts({ db: world.db, forAttempts: lost });
  const ids = await someIds(2);
  expect(await Promise.all(ids.map((id) => by.find(firstOf(id))))).toMatchObject(ids.map((id) => ({ id })));
  await Promise.all(ids.flatMap((id) => [by.record(firstOf(id), success()), by.record(firstOf(id), success())]));
  expect(await Promise.all(ids.map(statusOf))).toEqual(['delivered', 'delivered']);
  for (const id of ids) expect(await world.attempts(id)).toHaveLength(1);
});

test('its connections make plans once, and wait for a lock for much less than an attempt has for its record', async () => {
  const [settings] = await forAttempts`
    select current_setting('plan_cache_mode') as plans, current_setting('lock_timeout') as lock, current_setting('statement_timeout') as whole`;
  expect(settings).toEqual({ plans: 'force_generic_plan', lock: '50ms', whole: '2s' });
});
