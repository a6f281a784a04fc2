import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { newUuid } from '../../src/shared/ids.ts';
import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { startApi, type TestApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { holdLock } from '../helpers/locks.ts';
import { countRows } from '../helpers/rows.ts';

// What one user or API key asks of the routes that agents use, as often as it can, and what others get meanwhile.

const budget = 300;

type Credential = { key: string } | { session: string };
type Ask = { method: string; path: string; body?: unknown };
type Refused = { error: { code: string; message: string } } | undefined;

const start = async (config: object = {}) => {
  const api = await startApi({ config });
  onTestFinished(() => api.stop());
  const { apiKey: key, session } = await api.createAccount();
  const channel = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  const inbound = await api.request<{ contact_id: string }>('POST', `/v1/channels/${channel.body.id}/inbound`, {
    key,
    body: anInboundMessage({ text: 'Where is my order?' }),
  });
  const { body } = await api.request<{ data: { id: string }[] }>(
    'GET',
    `/v1/conversations?contact_id=${inbound.body.contact_id}`,
    { key },
  );
  return { api, key, session, conversation: String(body.data[0]?.id) };
};

const paths = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Every operation below `prefix` of what agents use, with a good body where it has one that stores something. */
const routesOf = async (api: TestApi, prefix: string, conversation: string): Promise<Ask[]> => {
  const document = paths.parse((await api.request('GET', '/openapi.json')).body);
  const bodies: Record<string, () => unknown> = {
    'POST /conversations/{id}/messages': () => ({ text: 'On its way', client_ref: newUuid() }),
    'POST /conversations/{id}/notes': () => ({ text: 'Call back' }),
    'PUT /conversations/{id}/drafts/{kind}': () => ({ text: newUuid() }),
    'PUT /presence/{subject}/{tab}': () => ({ part: 'reply' }),
    'POST /canned-replies': () => ({ shortcut: newUuid().slice(0, 8), text: 'Hello' }),
    'POST /media': () => Buffer.from('a file'),
  };
  const named: Record<string, string> = { id: conversation, subject: conversation, kind: 'reply', tab: 'a'.repeat(20) };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => {
      const route = path.slice(prefix.length);
      const isOfAgents =
        /^\/(conversations|drafts|presence|canned-replies|media|inbox|stream|bulk\/conversations)\b/.test(route);
      if (!path.startsWith(`${prefix}/`) || !isOfAgents || method === 'servers') return [];
      const place = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? 'nothing');
      const query =
        route === '/media' ? '?name=a.txt' : method === 'get' && route === '/conversations' ? '?search=order' : '';
      const body = bodies[`${method.toUpperCase()} ${route}`]?.();
      return [{ method: method.toUpperCase(), path: `${place}${query}`, ...(body !== undefined && { body }) }];
    }),
  );
};

/** Asks for each in turn, so often in all, fifty at a time. */
const flood = async (
  api: TestApi,
  credential: Credential,
  asks: readonly Ask[],
  times: number,
): Promise<{ status: number; message: string; again: number }[]> => {
  const answers: { status: number; message: string; again: number }[] = [];
  let nth = 0;
  const one = async (): Promise<void> => {
    while (nth < times) {
      const { method, path, body } = asks[nth % asks.length] ?? expect.fail('no route');
      nth += 1;
      const answer = await api.request<Refused>(method, path, { ...credential, body });
      const again = Number(answer.headers['retry-after']);
      answers.push({ status: answer.status, message: answer.body?.error?.message ?? '', again });
    }
  };
  await Promise.all(Array.from({ length: 50 }, one));
  return answers;
};

test.for([
  { who: 'an API key', prefix: '/v1', times: 10_000 },
  { who: 'a user', prefix: '/dashboard/api', times: 3_000 },
])(
  'a flood of $who at the routes of agents is refused in words, and stores nothing more',
  { timeout: 300_000 },
  async ({ prefix, times }) => {
    const { api, key, session, conversation } = await start({ rateLimitPerMinute: budget });
    const [credential, other] = prefix === '/v1' ? [{ key }, { session }] : [{ session }, { key }];
    const asks = await routesOf(api, prefix, conversation);
    expect(asks.length).toBeGreaterThan(20);
    const quick = asks.filter(({ path }) => !path.endsWith('/stream'));
    const beganMs = performance.now();
    await flood(api, credential, quick, budget);
    const before = await countRows(api.db);
    const answers = await flood(api, credential, quick, times);
    // On a slow machine another minute begins, with requests of its own.
    const minutes = Math.floor((performance.now() - beganMs) / 60_000) + 1;
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBeLessThanOrEqual((minutes - 1) * budget);
    expect(new Set(refused.map(({ message }) => message))).toEqual(
      new Set([
        prefix === '/v1'
          ? `The account's ${budget} requests of this minute are used up.`
          : `Your share of the account's ${budget} requests of this minute is used up.`,
      ]),
    );
    expect(refused.every(({ again }) => again >= 1 && again <= 60)).toBe(true);
    const stored = await countRows(api.db);
    const more = Object.keys(stored).filter((table) => stored[table] !== before[table]);
    expect(minutes > 1 ? [] : more).toEqual([]);
    // No operation has a way around the budget.
    const all = async (): Promise<Set<number>> => {
      await flood(api, credential, quick, budget);
      return new Set((await flood(api, credential, asks, asks.length)).map(({ status }) => status));
    };
    await expect.poll(all, { timeout: 60_000 }).toEqual(new Set([429]));
    const stranger = await api.createAccount();
    expect((await api.request('GET', '/v1/conversations', { key: stranger.apiKey })).status).toBe(200);
    const beside = 'key' in other ? '/v1' : '/dashboard/api';
    expect((await api.request('GET', `${beside}/conversations`, other)).status).toBe(200);
  },
);

test('searches by text of one account that hang leave connections to the lists and changes of others', async () => {
  const { api, key } = await start();
  const quiet = await api.createAccount();
  const db = connectDatabase(api.target, { max: 2 });
  onTestFinished(() => db.end());
  const lock = await holdLock(db, (sql) => sql`lock table messages in access exclusive mode`);
  const searches = Array.from({ length: 60 }, (_, nth) =>
    api.request<Refused>('GET', `/v1/conversations?search=order${nth}`, { key }),
  );
  await lock.hasStopped('search_vector');
  const made = await api.request('POST', '/v1/tags', { key: quiet.apiKey, body: { name: 'vip' } });
  const listed = await api.request('GET', '/v1/tags', { key: quiet.apiKey });
  expect([made.status, listed.status]).toEqual([201, 200]);
  const [hanging] = await db<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%search_vector%'`;
  expect(hanging?.count).toBeLessThanOrEqual(5);
  const answers = await Promise.all(searches);
  expect(answers.filter(({ status }) => ![429, 503].includes(status))).toEqual([]);
  expect(answers.filter(({ headers, body }) => !headers['retry-after'] || !body?.error.message.endsWith('.'))).toEqual(
    [],
  );
  await lock.letThrough();
  expect((await api.request('GET', '/v1/conversations?search=order', { key })).status).toBe(200);
}, 120_000);
