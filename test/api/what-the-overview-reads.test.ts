import { beforeAll, describe, expect, test } from 'vitest';
import { fillDomain } from '../../bench/domain/fill.ts';
import { fillDeliveries } from '../../bench/scenarios/fill.ts';
import { listApiKeys, revokeApiKey } from '../../src/shared/accounts/api-keys.ts';
import { showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { useCountedApi } from '../helpers/counted-api.ts';
import { manyDeliveries } from '../helpers/deliveries.ts';
import { entriesRead, readSince } from '../helpers/entries-read.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { haveManyKeys } from '../helpers/states/accounts.ts';
import { haveManyChannels } from '../helpers/states/conversations.ts';
import { haveManyHandovers } from '../helpers/states/handovers.ts';
import { haveManyRuns } from '../helpers/states/runs.ts';
import { setRolledUpUntil } from '../helpers/states/statistics.ts';
import { haveDeletedWebhooks } from '../helpers/states/webhooks.ts';
import { untold } from '../helpers/untold.ts';

const { api, db, database } = await useCountedApi();
/** It has nearly all of everything; the other one, next to nothing. */
const account = await api.createAccount();
const neighbour = await api.createAccount();
/** Nobody has written on its channels, and all of its keys are revoked. */
const unused = await api.createAccount();

const many = 40_000;

let webhook = '';
beforeAll(async () => {
  const { accountId, apiKey: key } = account;
  const made = await api.request<{ id: string }>('POST', '/v1/channels', { key, body: { type: 'api', name: 'Shop' } });
  const size = { contacts: 2_000, messages: many };
  await fillDomain({ database, accountId, channelId: made.body.id, ...size });
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://receiver.example/' });
  webhook = showId('webhook', webhookId);
  await fillDeliveries({
    database,
    target: { accountId, webhookIds: [webhook] },
    count: many,
    weeks: 3,
  });
  for (const status of ['pending', 'retrying', 'parked'] as const)
    await manyDeliveries(db, { accountId, webhookId, status, count: many / 10 });
  // In the last day as many have failed, and as many were dropped: what counts the ones must not read the others.
  await manyDeliveries(db, { accountId, webhookId, status: 'failed', count: many });
  const ofDashboard = { accountId, variant: 'dashboard' } as const;
  const dropping = await insertWebhook(api.deps, { ...ofDashboard, url: 'https://receiver.example/' });
  await manyDeliveries(db, { ...ofDashboard, webhookId: dropping, status: 'dropped', count: many });
  await haveDeletedWebhooks(db, accountId, { count: many });
  for (let number = 1; number <= 50; number += 1)
    await insertWebhook(api.deps, { accountId: neighbour.accountId, url: 'https://receiver.example/' });
  await haveManyChannels(db, unused.accountId, many);
  for (const { id } of await listApiKeys(db, unused.accountId, { limit: 1 }))
    await revokeApiKey(untold(db), unused.accountId, id);
  await haveManyKeys(db, unused.accountId, { count: many, isRevoked: true });
  await haveManyHandovers(db, accountId);
  const flowId = await aFlow(db, accountId, { blocks: [{ id: 'hello', type: 'send', messages: [{ text: 'Hello' }] }] });
  await haveManyRuns(db, flowId, many);
  // Nothing is rolled up: all that statistics are asked for is counted from the logs, up to a number.
  await setRolledUpUntil(db, new Date('2020-01-01'));
  await db`vacuum analyze`;
}, 300_000);

/** PostgreSQL plans a statement for its values five times. Then it may keep a plan for all values. */
const times = 7;

describe.each([
  ['the account that has nearly everything', account],
  ['its neighbour that has next to nothing', neighbour],
  ['an account that has more channels and keys than it uses', unused],
])('for %s', (_, { session }) => {
  const readOf = async (path: string, most: number): Promise<string[]> => {
    const found: string[] = [];
    for (let time = 1; time <= times; time += 1) {
      const before = await entriesRead(db);
      const { status } = await api.request('GET', `/dashboard/api${path}`, { session });
      found.push(
        ...(status === 200 ? [] : [`${path} is answered ${status}`]),
        ...readSince(before, await entriesRead(db), most).map((read) => `${path} reads ${read}`),
      );
    }
    return [...new Set(found)];
  };

  test('the overview reads no more of a table than it counts up to', async () => {
    // Unfinished and lost deliveries are counted in six statuses up to a thousand, some for each webhook that is named.
    expect(await readOf('/overview', 8_000)).toEqual([]);
  });

  test('what the navigation counts reads no more than the latest messages and the oldest handovers', async () => {
    expect(await readOf('/overview/waiting', 4_000)).toEqual([]);
  });

  test.for(['', '&interval=day', '&event=order_placed', '&interval=day&event=order_placed', '&of=webhook'])(
    'statistics that are not rolled up read no more of the logs than they count up to: %s',
    async (asked) => {
      const from = new Date(Date.now() - 21 * 24 * 3_600_000).toISOString();
      const filter = asked.replace('of=webhook', `webhook_id=${webhook}`);
      // Of each of four kinds of deliveries 5000, and their attempts.
      expect(await readOf(`/statistics?from=${from}${filter}`, 30_000)).toEqual([]);
    },
  );
});
