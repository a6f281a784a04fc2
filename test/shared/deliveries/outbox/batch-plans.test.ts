import { afterAll, expect, onTestFinished, test } from 'vitest';
import {
  findFirstAttempts,
  firstAttempt,
  noEvidence,
  recordAttempts,
  type NewAttempt,
} from '../../../../src/shared/deliveries/attempts.ts';
import { connectForBatches } from '../../../../src/shared/deliveries/outbox/statements.ts';
import { markWithoutWorkflow, sweepSoon } from '../../../../src/shared/deliveries/rounds.ts';
import { nobody } from '../../../../src/shared/platform/processes/own-process.ts';
import type { Sql } from '../../../../src/shared/platform/db/connect.ts';
import { aPendingRow } from '../../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { farFromMidnight } from '../../../helpers/midnight.ts';

const world = await startDeliveryWorld();
afterAll(() => world.stop());

const webhookId = await world.aWebhook({ url: 'https://receiver.example/hook' });
const someIds = async (count: number): Promise<string[]> => {
  const rows = Array.from({ length: count }, () => aPendingRow(world.db, { accountId: world.accountId, webhookId }));
  return (await Promise.all(rows)).map(({ id }) => id);
};

const succeeded = (deliveryId: string): NewAttempt => ({
  key: { deliveryId, round: 1, ...firstAttempt },
  attempt: { outcome: 'succeeded', startedAt: new Date(), durationMs: 1, generation: 1, evidence: noEvidence },
});

/** How often each part of the logs was read by a table or an index. */
const scansOf = async (sql: Sql): Promise<Map<string, number>> => {
  await sql`select pg_stat_force_next_flush()`;
  const rows = await sql<{ relname: string; scans: number }[]>`
    select relname, (seq_scan + coalesce(idx_scan, 0))::int as scans from pg_stat_user_tables where relname ~ '^(deliveries|attempts)_'`;
  return new Map(rows.map(({ relname, scans }) => [relname, scans]));
};

test('batches of any size use plans made once, which read only the weeks of their deliveries', async () => {
  await farFromMidnight();
  const forBatches = connectForBatches(world.target);
  onTestFinished(() => forBatches.end());
  const one = await forBatches.reserve();
  onTestFinished(() => one.release());
  const batches = await Promise.all([1, 1, 2, 3, 20, 40].map(someIds));

  const before = await scansOf(one);
  for (const ids of batches) {
    expect((await findFirstAttempts(one, ids)).size).toBe(ids.length);
    await sweepSoon(one, ids, { sender: nobody });
    expect(await recordAttempts(one, ids.map(succeeded))).toHaveLength(ids.length);
    await markWithoutWorkflow(one, ids);
  }

  const plans = await one`
    select generic_plans, custom_plans from pg_prepared_statements where statement ~ 'deliveries' and statement !~ 'pg_stat'`;
  expect(plans).toEqual(Array.from({ length: 4 }, () => ({ genericPlans: '6', customPlans: '0' })));
  const after = await scansOf(one);
  const read = [...after].flatMap(([part, scans]) => (scans > (before.get(part) ?? 0) ? [part] : []));
  const [week] = await one<[{ week: string }]>`select to_char(date_trunc('week', now()), 'YYYYMMDD') as week`;
  expect(after.size).toBeGreaterThan(10);
  expect(read.toSorted()).toEqual([`attempts_${week.week}`, `deliveries_${week.week}`]);
});

test('PostgreSQL gives up a batch that waits for a lock, which frees its connection', async () => {
  const forBatches = connectForBatches(world.target);
  onTestFinished(() => forBatches.end());
  const [locked = '', free = ''] = await someIds(2);
  await world.db.begin(async (holder) => {
    await holder`select from deliveries where id = ${locked} for update`;
    const stuck = Array.from({ length: 3 }, () => recordAttempts(forBatches, [succeeded(locked)]));
    const outcomes = await Promise.allSettled(stuck);
    expect(outcomes).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'rejected', reason: { code: '57014' } })),
    );
  });
  expect(await recordAttempts(forBatches, [succeeded(free)])).toHaveLength(1);
});
