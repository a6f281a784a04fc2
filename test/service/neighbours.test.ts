import { availableParallelism } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { aNeighbour } from '../helpers/adversaries/neighbour.ts';
import { requestsOnOneContact } from '../helpers/adversaries/one-contact.ts';
import { beginManyRuns } from '../helpers/adversaries/runs-at-once.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { startLiveApi } from '../helpers/live-world.ts';
import { holdLock } from '../helpers/locks.ts';

// What an account does as much as it can, and what its neighbour gets meanwhile.

const live = await startLiveApi();
const aside = connectDatabase(live.world.target, { max: 3 });
const neighbour = await aNeighbour(live, aside);
afterAll(async () => {
  await Promise.all([neighbour.stop(), aside.end()]);
  await live.stop();
});

test('a neighbour is served while 250 requests of one account wait for the lock of one contact', async () => {
  const adversary = await requestsOnOneContact(live, { atOnce: 250 });
  const { contactId } = adversary;
  const lock = await holdLock(aside, (sql) => sql`select from contacts where id = ${contactId} for update`);
  adversary.start();
  await untilSomebodyWaits(aside);
  // It ends: none of the others does, because the lock is held until it has.
  await neighbour.act();
  await lock.letThrough();
  const { 429: refused = 0, ...answered } = await adversary.stop();
  expect(Object.keys(answered)).toEqual(['200', '201', '202']);
  expect(refused).toBeLessThan(250);
}, 120_000);

test('of 250 requests on one contact one waits for its lock, and the account goes on with its others', async () => {
  const adversary = await requestsOnOneContact(live, { atOnce: 250 });
  const { contactId } = adversary;
  const lock = await holdLock(aside, (sql) => sql`select from contacts where id = ${contactId} for update`);
  adversary.start();
  await untilSomebodyWaits(aside);
  await live.api.request('POST', '/v1/contacts', { key: adversary.account.apiKey, body: {} });
  const waiting = await aside`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  // Those who name the contact by its id stand in one line, those who write to its channel in another.
  expect(waiting.count).toBeLessThanOrEqual(2);
  await lock.letThrough();
  await adversary.stop();
}, 120_000);

test("a neighbour's run ends after few of another account's that began before it, all at once", async () => {
  const adversary = await beginManyRuns(live, { atOnce: 400 });
  const before: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { runId } = await neighbour.act();
    const earlier = await aside`
      select from runs mine join runs other on other.account_id = ${adversary.account.accountId}
        and other.ended_at between mine.started_at and mine.ended_at
      where mine.id = ${runId}`;
    before.push(earlier.count);
  }
  const [, median = Infinity] = before.toSorted((one, other) => one - other);
  // A few of an account have begun and not looked. Those may end before it, and as many while it begins, looks and ends.
  expect(median).toBeLessThanOrEqual(8 * availableParallelism());
  await adversary.stop();
}, 180_000);
