import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fillDomain } from '../../bench/domain/fill.ts';
import { fillDeliveries } from '../../bench/scenarios/fill.ts';
import { deliveryStatuses } from '../../src/shared/deliveries/types.ts';
import { readId, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { manyDeliveries } from '../helpers/deliveries.ts';
import { useCountedApi } from '../helpers/counted-api.ts';
import { entriesRead, readSince } from '../helpers/entries-read.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { insertPastRequests } from '../helpers/states/calls.ts';
import { tagManyContacts, writeManyNotes } from '../helpers/states/conversations.ts';
import { exchangeManyMessages, haveManyRuns, takeManySteps } from '../helpers/states/runs.ts';
import { aWebhookDeletedAgo, haveDeletedWebhooks } from '../helpers/states/webhooks.ts';

const { api, db, database } = await useCountedApi();
/** It has nearly all of everything; the other one, next to nothing. */
const account = await api.createAccount();
const neighbour = await api.createAccount();

/** So many of everything that an account can have without a limit, or more. */
const many = 2_000;

/** A page of ten may read as many entries of tables and indexes as this, in all. */
const atMost = 1_500;

const ask = async <Body>(path: string, { session, apiKey: key } = account) => {
  const as = path.startsWith('/dashboard/') ? { session } : { key };
  return api.request<Body>('GET', path, as);
};
type Page = { data: { id: string }[]; next_cursor: string | null };
const firstOf = async (path: string): Promise<string> =>
  (await ask<Page>(path)).body.data[0]?.id ?? expect.fail(`nothing at ${path}`);

/** What a path names by its id, by the part before it: of each what has the most in its lists. */
let named: Record<string, string>;
/** Values of each filter that is no enumeration, by its name, or by its path and name. */
let values: Record<string, readonly string[]>;
beforeAll(async () => {
  const { accountId, apiKey: key } = account;
  const made = await api.request<{ id: string }>('POST', '/v1/channels', { key, body: { type: 'api', name: 'Shop' } });
  const size = { contacts: many, messages: 5 * many };
  await fillDomain({ database, accountId, channelId: made.body.id, ...size });
  // A channel on which hardly anybody writes.
  const { body: market } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Market' },
  });
  const path = `/v1/channels/${market.id}/inbound`;
  await api.request('POST', path, { key, body: anInboundMessage({ sender: { external_id: 'rare' } }) });
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://receiver.example/' });
  const webhooks = showId('webhook', webhookId);
  // More than an account can have deleted since the log begins, as one that did so before that was bounded.
  await haveDeletedWebhooks(db, accountId, { count: 3 * many });
  const target = { accountId, webhookIds: [webhooks] };
  await fillDeliveries({ database, target, count: many, weeks: 3 });
  const flowId = await aFlow(db, accountId, { blocks: [{ id: 'hello', type: 'send', messages: [{ text: 'Hello' }] }] });
  await haveManyRuns(db, flowId, many);
  const runs = await firstOf('/v1/runs');
  await takeManySteps(db, readId('run', runs), many);
  await exchangeManyMessages(db, readId('run', runs), many);
  await insertPastRequests(db, { accountId, runId: readId('run', runs), count: many });
  await writeManyNotes(db, readId('conversation', await firstOf('/v1/conversations?status=open')), 1);
  // Of all messages, one in a hundred is the first contact's.
  const contacts = await firstOf('/v1/contacts?email=contact1@example.com');
  const conversations = await firstOf(`/v1/conversations?status=open&contact_id=${contacts}`);
  await writeManyNotes(db, readId('conversation', conversations), many);
  const deliveries = await firstOf('/v1/deliveries');
  const flows = showId('flow', flowId);
  named = { contacts, conversations, deliveries, runs, flows };
  const middle = new Date(Date.now() - 14 * 24 * 3_600_000).toISOString();
  values = {
    contact_id: [contacts],
    id: [contacts],
    channel_id: [made.body.id, market.id],
    webhook_id: [webhooks],
    flow_id: [flows],
    event_id: [await firstOf('/v1/events')],
    message_id: [await firstOf(`/v1/conversations/${conversations}/messages`)],
    assigned_to: [showId('user', account.userId), 'none'],
    block_id: ['hello'],
    email: ['contact7@example.com'],
    phone: ['+4915100000007'],
    external_id: ['order-7'],
    '/v1/deliveries status': [...deliveryStatuses, 'failed,dropped'],
    '/v1/orders status': ['returned', 'shipped'],
    test: ['true', 'false'],
    since: [middle, '2020-01-01'],
    until: [middle, '2020-01-01'],
    state: ['handover'],
    snoozed: ['true', 'false'],
    // Only users have drafts: a test of its own.
    draft: [],
    tag: ['customer', 'vip', 'nobody'],
    search: ['Ada', 'contact77', '+4915100000', 'customer-7'],
    field: ['city:eq:City 7', 'vip:eq:true', 'age:gte:70'],
    updated_after: [middle, '2020-01-01'],
  };
  await db`vacuum analyze`;
}, 120_000);

const parameter = z.object({
  in: z.string(),
  name: z.string(),
  required: z.boolean().default(false),
  schema: z.unknown(),
});
const document = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z
        .object({ parameters: z.array(parameter).default([]), responses: z.record(z.string(), z.unknown()) })
        .optional(),
    }),
  ),
});

/** The values of a filter that has only some, or one of a list of them. */
const enumerated = (schema: unknown): string[] | undefined => {
  const [, list] = /"enum":(\[.*?\])/.exec(JSON.stringify(schema)) ?? [];
  return list === undefined ? undefined : z.array(z.string()).parse(JSON.parse(list));
};

/** Every list of the API, as a whole and by each value of each filter. Both doors read by the same queries. */
const listPages = async (): Promise<string[]> => {
  const { paths } = document.parse((await ask('/openapi.json')).body);
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get || !JSON.stringify(get.responses['200']).includes('next_cursor')) return [];
    if (path.startsWith('/dashboard/api/') && path.replace('/dashboard/api', '/v1') in paths) return [];
    const [, kind = ''] = /\/([a-z-]+)\/\{id\}/.exec(path) ?? [];
    const list = path.replace('{id}', () => named[kind] ?? expect.fail(`say one of ${kind}, in \`named\``));
    const queries = get.parameters.filter((one) => one.in === 'query');
    const page = `${list}?${queries.some(({ name }) => name === 'limit') ? 'limit=10' : ''}`;
    const filters = queries.filter(({ name }) => !['limit', 'cursor'].includes(name));
    return [
      ...(filters.some(({ required }) => required) ? [] : [page]),
      ...filters.flatMap(({ name, schema }) =>
        (
          values[`${path} ${name}`] ??
          enumerated(schema) ??
          values[name] ??
          expect.fail(`say a value of the filter ${name}, in \`values\``)
        ).map((value) => `${page}&${name}=${encodeURIComponent(value)}`),
      ),
    ];
  });
};

const readMuch = async (path: string, { by = account, most = atMost } = {}): Promise<string[]> => {
  const before = await entriesRead(db);
  const { status, text } = await ask(path, by);
  // What a filter or path names is not the neighbour's.
  if (status !== 200 && by === account) return [`${path} is answered ${status}: ${text}`];
  return readSince(before, await entriesRead(db), most).map((read) => `${path} reads ${read}`);
};

/** PostgreSQL plans a statement for its values five times. Then it may keep a plan for all values. */
const times = 7;

describe.each([
  ['the account that has nearly everything', account],
  ['its neighbour that has next to nothing', neighbour],
])('for %s', (_, by) => {
  test('no list reads more of a table than its page needs, whatever it is asked for and however often', async () => {
    const pages = await listPages();
    expect(pages.length).toBeGreaterThan(60);
    const found: string[] = [];
    for (const page of pages) {
      const first = await readMuch(page, { by });
      for (let time = 2; time < times; time += 1) await ask(page, by);
      found.push(...first, ...(await readMuch(page, { by })));
    }
    expect([...new Set(found)]).toEqual([]);
  }, 120_000);
});

test.for(['opened', 'latest_message'])(
  'of conversations in which a user has a draft no more is read than a page, by %s',
  async (order) => {
    const path = `/dashboard/api/conversations/${named['conversations']}/drafts/reply`;
    await api.request('PUT', path, { session: account.session, body: { text: 'Hello' } });
    const page = `/dashboard/api/conversations?limit=10&draft=mine&order=${order}`;
    for (let time = 1; time <= times; time += 1) expect(await readMuch(page)).toEqual([]);
  },
);

describe('of a tag that many more contacts have', () => {
  beforeAll(async () => {
    const { body } = await api.request<{ id: string }>('POST', '/v1/tags', {
      key: account.apiKey,
      body: { name: 'everybody' },
    });
    await tagManyContacts(db, readId('tag', body.id), 25_000);
    await db`vacuum analyze contacts, contact_tags`;
  }, 60_000);

  test('none is counted to say that flows use the tag', async () => {
    const blocks = [{ id: 'add', type: 'add_tag', tag: 'everybody' }] as const;
    await aFlow(db, account.accountId, { blocks });
    const { body } = await ask<{ data: { id: string; name: string }[] }>('/v1/tags?limit=200');
    const path = `/v1/tags/${body.data.find(({ name }) => name === 'everybody')?.id}`;
    for (const method of ['PATCH', 'DELETE'] as const) {
      const before = await entriesRead(db);
      const answer = await api.request(method, path, {
        key: account.apiKey,
        ...(method === 'PATCH' && { body: { name: 'all' } }),
      });
      expect(answer.status).toBe(409);
      expect(readSince(before, await entriesRead(db), atMost)).toEqual([]);
    }
  });

  test.for(['tag=everybody&tag=vip', 'tag=vip&tag=everybody', 'tag=everybody&tag=nobody'])(
    'contacts that have a rare one as well are found by the rare one: %s',
    async (tags) => {
      // Which one is rare is known when so many are counted.
      expect(await readMuch(`/v1/contacts?limit=10&${tags}`, { most: 10_001 + atMost })).toEqual([]);
    },
  );

  test('contacts of a tag that hardly anybody has are looked up one by one, although PostgreSQL takes each tag for as common', async () => {
    const { body } = await api.request<Page>('GET', '/v1/contacts?limit=10&tag=vip', { key: account.apiKey });
    for (const { id } of body.data.slice(0, 3)) {
      const path = `/v1/contacts/${id}/tags/hardly%20anybody`;
      expect((await api.request('PUT', path, { key: account.apiKey })).status).toBe(200);
    }
    for (let time = 1; time <= times; time += 1)
      expect(await readMuch('/v1/contacts?limit=10&tag=hardly%20anybody', { most: 100 })).toEqual([]);
  });

  test('a list of tags counts no more than a thousand contacts of each', async () => {
    const most = (await ask<Page>('/v1/tags?limit=10')).body.data.length * 1_001 + atMost;
    expect(await readMuch('/v1/tags?limit=10', { most })).toEqual([]);
  });
});

test('of what was cancelled with a webhook no more is read than a page', async () => {
  const { accountId } = account;
  const webhookId = await aWebhookDeletedAgo(db, accountId, { daysAgo: 0 });
  await manyDeliveries(db, { accountId, webhookId, status: 'cancelled', count: 5 * many });
  await db`vacuum analyze deliveries`;
  for (let time = 1; time <= times; time += 1)
    expect(await readMuch('/v1/deliveries?limit=10&status=cancelled')).toEqual([]);
});
