import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { showId } from '../../../src/shared/ids.ts';
import { zoned } from '../../../src/shared/times/clock.ts';
import { startCliApi, type CliApi } from '../../cli/api.ts';
import { parleyHere } from '../../cli/parley.ts';
import { insertWebhook } from '../../helpers/accounts.ts';
import { aDelivery } from '../../helpers/deliveries.ts';
import { flowCalls } from '../../helpers/flows.ts';
import { disableWebhook } from '../../helpers/states/webhooks.ts';

let cli: CliApi;
let flow: string;
let webhook: string;

beforeAll(async () => {
  cli = await startCliApi();
  const { api, account } = cli;
  const { accountId } = account;
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://127.0.0.1:9/hook' });
  webhook = showId('webhook', webhookId);
  await disableWebhook(api.db, webhookId);
  await aDelivery(api.db, { accountId, webhookId, status: 'parked' });
  const { call, createLive } = flowCalls(api, account);
  flow = (await createLive()).id;
  const { body: contact } = await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
  await call('POST', `/contacts/${contact.id}/flows`, { flow_id: flow });
});
afterAll(() => cli.stop());

const v1 = (method: string, path: string, body?: object) =>
  cli.api.request(method, `/v1${path}`, { key: cli.account.apiKey, ...(body && { body }) });

const listed = z.looseObject({ data: z.array(z.unknown()) });

const isListed = async (path: string): Promise<boolean> => {
  const { body } = await v1('GET', path);
  return listed.parse(body).data.length > 0;
};

const runCli = async (...args: string[]) => (await parleyHere(cli.env, ...args, '--json')).json();

const count = z.looseObject({ count: z.int() });

/** Each place that is asked since (or until) a time, and whether it finds what was made just now. */
const places: Record<string, { bound: 'since' | 'until'; finds: (text: string) => Promise<boolean> }> = {
  'deliveries since': { bound: 'since', finds: (text) => isListed(`/deliveries?since=${text}`) },
  'deliveries until': { bound: 'until', finds: (text) => isListed(`/deliveries?until=${text}`) },
  'events since': { bound: 'since', finds: (text) => isListed(`/events?since=${text}`) },
  'events until': { bound: 'until', finds: (text) => isListed(`/events?until=${text}`) },
  'contacts updated after': { bound: 'since', finds: (text) => isListed(`/contacts?updated_after=${text}`) },
  'the statistics of a flow': {
    bound: 'since',
    finds: async (text) =>
      z.looseObject({ runs: z.int() }).parse((await v1('GET', `/flows/${flow}/stats?since=${text}`)).body).runs > 0,
  },
  'a replay since': {
    bound: 'since',
    finds: async (since) =>
      count.parse((await v1('POST', '/replays/preview', { webhook_id: webhook, since })).body).count > 0,
  },
  'a replay until': {
    bound: 'until',
    finds: async (until) =>
      count.parse((await v1('POST', '/replays/preview', { webhook_id: webhook, until })).body).count > 0,
  },
  're-enabling since': {
    bound: 'since',
    finds: async (since) => {
      const { body } = await v1('POST', `/webhooks/${webhook}/re-enable/preview`, { replay: { type: 'since', since } });
      return z.object({ replay_found: z.looseObject({ parked: z.int() }) }).parse(body).replay_found.parked > 0;
    },
  },
  // What begins in the future is refused.
  'statistics from': {
    bound: 'since',
    finds: async (text) => {
      const { session } = cli.account;
      return (await cli.api.request('GET', `/dashboard/api/statistics?from=${text}`, { session })).status === 200;
    },
  },
  'deliveries list --since': {
    bound: 'since',
    finds: async (text) => listed.parse(await runCli('deliveries', 'list', '--since', text)).data.length > 0,
  },
  'deliveries list --until': {
    bound: 'until',
    finds: async (text) => listed.parse(await runCli('deliveries', 'list', '--until', text)).data.length > 0,
  },
};

const hourMs = 3_600_000;

/** What the clock of a zone shows then, without the zone. */
const shownIn = (zone: string, at: number): string => zoned(new Date(at), zone).toPlainDateTime().toString();

describe.for(['Pacific/Kiritimati', 'America/New_York'])(
  'for an account in %s a time without a zone is its own',
  (zone) => {
    beforeAll(async () => {
      await v1('PATCH', '/account', { time_zone: zone });
    });

    test.for(Object.entries(places))('%s', async ([, { bound, finds }]) => {
      const [before, after] = [shownIn(zone, Date.now() - hourMs), shownIn(zone, Date.now() + hourMs)];
      expect(await finds(before)).toBe(bound === 'since');
      expect(await finds(after)).toBe(bound === 'until');
    });
  },
);

test('replays start --since without a zone is a time of the account', async () => {
  await v1('PATCH', '/account', { time_zone: 'Europe/Berlin' });
  expect(await runCli('replays', 'start', '--since', '2026-01-31T12:00', '--until', '2026-02-01')).toMatchObject({
    filter: { since: '2026-01-31T11:00:00.000Z', until: '2026-01-31T23:00:00.000Z' },
  });
});

test('statistics are on the clock of the zone that they are asked in, and of the account unless told', async () => {
  await v1('PATCH', '/account', { time_zone: 'Europe/Berlin' });
  const from = async (query: string) => {
    const path = `/dashboard/api/statistics?interval=day&${query}`;
    return (await cli.api.request('GET', path, { session: cli.account.session })).body;
  };
  const day = zoned(new Date(), 'UTC').toPlainDate().subtract({ days: 3 });
  const midnight = (zone: string) => new Date(day.toZonedDateTime(zone).epochMilliseconds).toISOString();
  expect(await from(`from=${day.toString()}`)).toMatchObject({
    from: midnight('Europe/Berlin'),
    time_zone: 'Europe/Berlin',
  });
  expect(await from(`from=${day.toString()}&time_zone=Asia/Tokyo`)).toMatchObject({ from: midnight('Asia/Tokyo') });
});

test('the first and the last day of the years are taken on every clock', async () => {
  for (const zone of ['Pacific/Kiritimati', 'America/New_York']) {
    await v1('PATCH', '/account', { time_zone: zone });
    for (const since of ['0001-01-01T00:00:00', '0001-01-01'])
      expect(await isListed(`/contacts?updated_after=${since}`)).toBe(true);
    for (const until of ['9999-12-31T23:59:59', '9999-12-31'])
      expect(await isListed(`/events?until=${until}`)).toBe(true);
    expect(await isListed('/events?until=0001-01-01')).toBe(false);
    expect(await isListed('/events?since=9999-12-31')).toBe(false);
  }
});
