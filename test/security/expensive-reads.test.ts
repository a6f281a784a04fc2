import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { anAccount, insertWebhook } from '../helpers/accounts.ts';
import { manyDeliveries } from '../helpers/deliveries.ts';
import { startLiveApi, type LiveApi } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { reportAttack } from './report.ts';
import { untold } from '../helpers/untold.ts';

let live: LiveApi;
let receiver: Receiver;
let key: string;

/** An account whose every count reads through its whole log and finds nothing, and one with a webhook. */
beforeAll(async () => {
  [live, receiver] = await Promise.all([startLiveApi(), startReceiver()]);
  const { db, secrets } = live.world;
  const { accountId } = await anAccount({ db, secrets });
  ({ value: key } = await createApiKey(untold(db), accountId, 'attacker'));
  const webhookId = await insertWebhook({ db, secrets }, { accountId, url: receiver.url('/none') });
  await manyDeliveries(db, { accountId, webhookId, status: 'cancelled', count: 60_000 });
  await live.world.aWebhook({ url: receiver.url('/hook') });
});

afterAll(() => Promise.all([live.stop(), receiver.close()]));

/** A delivery takes some hundredths of a second alone. */
const inTimeMs = 10_000;

/** Connections that counts are at work on now. */
const atWork = async (): Promise<number> => {
  const [row] = await live.world.db<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%as candidates limit%' and pid <> pg_backend_pid()`;
  return row?.count ?? 0;
};

test("an account that counts all the time, twenty at once, leaves connections and time to another's deliveries", async () => {
  const deliveries = 8;
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const answers: number[] = [];
  const count = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const { status } = await live.api.request('POST', '/v1/replays/preview', {
        key,
        body: { status: ['delivered'] },
      });
      answers.push(status);
    }
  };
  const attackers = Array.from({ length: 20 }, count);
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(20);
  const tookMs: number[] = [];
  const taken: number[] = [];
  for (let number = 1; number <= deliveries; number += 1) {
    taken.push(await atWork());
    const startMs = performance.now();
    const [id = ''] = await live.world.anEvent();
    await live.world.firstAttempt(id);
    tookMs.push(performance.now() - startMs);
  }
  ending.abort();
  await Promise.all(attackers);
  expect(answers.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  await reportAttack('expensiveReads', {
    tried: deliveries,
    through: tookMs.filter((ms) => ms > inTimeMs).length + taken.filter((connections) => connections > 4).length,
    note: `the slowest took ${Math.round(Math.max(...tookMs))} ms beside ${answers.length} counts`,
  });
});
