import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { showId } from '../../src/shared/ids.ts';
import type { ParleyProcess } from '../helpers/parley-process.ts';
import type { ReceivedRequest } from '../helpers/receiver.ts';
import { present, type Version } from './installation.ts';
import {
  createAccountOfOld,
  describeWorkflow,
  faultsOf,
  prepareRolling,
  startVersion,
  type Ask,
  type Rolling,
} from './rolling.ts';

/** The service asks for this pause where it fails: longer than a replacement takes. */
const retryAfterSeconds = 75;

let rolling: Rolling;

beforeAll(async () => {
  rolling = await prepareRolling('0.3.0');
});
afterAll(() => rolling.close());

/** Those who walk through a flow: each is the word by which it begins, and the name of the contact who says it. */
const walks = {
  asksUnderNew: ['asking', 'asks, begun by the old'],
  asksUnderOld: ['asking', 'asks, begun by the new'],
  retriesUnderNew: ['failing', 'retries, begun by the old'],
  retriesUnderOld: ['failing', 'retries, begun by the new'],
} as const;

type Walk = (typeof walks)[keyof typeof walks];

const request = (url: string) => ({
  id: 'stock',
  type: 'external_request',
  method: 'PUT',
  url,
  body: '{"contact": "{{first_name}}"}',
  mapping: [{ path: '$.left', field: 'left' }],
});
const tell = { id: 'tell', type: 'send', messages: [{ text: '{{left}} left' }] };
const askSize = { id: 'size', type: 'ask', prompt: 'Which size?', save_to: 'size' };

const withId = z.object({ id: z.string() });
const contactOf = z.object({ contact: z.string() });
const told = z.object({
  message: z.object({ text: z.string() }),
  contact: z.object({ sender_external_id: z.string() }),
});

/** The requests that the service got for this contact. */
const asked = ([, name]: Walk): ReceivedRequest[] =>
  rolling.receiver.requests.filter(
    ({ path, rawBody }) => path === '/stock' && contactOf.parse(JSON.parse(String(rawBody))).contact === name,
  );

/** The texts that the contact was sent, in order. */
const textsTo = ([, name]: Walk): string[] =>
  rolling.receiver.requests
    .filter(({ path }) => path === '/messages')
    .map(({ rawBody }) => told.parse(JSON.parse(String(rawBody))))
    .flatMap(({ message, contact }) => (contact.sender_external_id === name ? [message.text] : []));

/** Two flows of the account, each with an External Request, and a channel over which contacts begin them. */
const createFlows = async (ask: Ask, api: ParleyProcess) => {
  const { receiver } = rolling;
  const channel = withId.parse(
    await ask(api, 'POST', '/v1/channels', { type: 'api', name: 'App', callback_url: receiver.url('/messages') }),
  );
  for (const [key, type] of Object.entries({ size: 'text', left: 'number' })) {
    await ask(api, 'POST', '/v1/custom-fields', { key, name: key, type });
  }
  for (const [word, blocks] of Object.entries({
    asking: [askSize, request(receiver.url('/stock')), tell],
    failing: [request(receiver.url('/stock')), tell],
  })) {
    const triggers = [{ type: 'keyword', match: 'exact', words: [word], priority: 1, interrupt: false }];
    const definition = { schema_version: 1, triggers, start: blocks[0]?.id, blocks };
    const { id } = withId.parse(await ask(api, 'POST', '/v1/flows', { name: word, definition }));
    await ask(api, 'POST', `/v1/flows/${id}/publish`);
  }
  const say = async (through: ParleyProcess, [, name]: Walk, text: string): Promise<void> => {
    const sender = { external_id: name, first_name: name };
    await ask(through, 'POST', `/v1/channels/${channel.id}/inbound`, { message_id: `${name} ${text}`, sender, text });
  };
  const begin = (through: ParleyProcess, walk: Walk) => say(through, walk, walk[0]);
  return { say, begin };
};

const startAll = async (version: Version) => {
  const worker = await startVersion(rolling, version, 'src/worker.ts');
  return { worker, api: await startVersion(rolling, version, 'src/api/main.ts') };
};

const until = (condition: () => boolean) => rolling.receiver.waitFor(condition, 120_000);

test('a run goes on under the other version: its service is asked once, its contact told once', async () => {
  const { receiver, database, old } = rolling;
  // It fails for a contact as long as the version is there that has begun the run.
  const failing = new Set<Walk>([walks.retriesUnderNew, walks.retriesUnderOld]);
  const succeeded: string[] = [];
  receiver.respondWith(({ path, rawBody }) => {
    if (path !== '/stock') return 200;
    const { contact } = contactOf.parse(JSON.parse(String(rawBody)));
    const fails = [...failing].some(([, name]) => name === contact);
    if (fails) return { type: 'respond', status: 503, headers: { 'retry-after': String(retryAfterSeconds) } };
    succeeded.push(contact);
    return { type: 'respond', body: '{"left": 7}' };
  });
  const ask = await createAccountOfOld(rolling);
  const before = await startAll(old);
  const { say, begin } = await createFlows(ask, before.api);
  await begin(before.api, walks.asksUnderNew);
  await begin(before.api, walks.retriesUnderNew);
  await until(() => textsTo(walks.asksUnderNew).length === 1 && asked(walks.retriesUnderNew).length === 1);

  const after = await startAll(present);
  expect([await before.worker.stop(), await before.api.stop()]).toEqual([0, 0]);
  failing.delete(walks.retriesUnderNew);
  await say(after.api, walks.asksUnderNew, 'L');
  await begin(after.api, walks.asksUnderOld);
  await until(() => textsTo(walks.asksUnderNew).length === 2 && textsTo(walks.asksUnderOld).length === 1);
  await until(() => succeeded.includes(walks.retriesUnderNew[1]));
  await begin(after.api, walks.retriesUnderOld);
  await until(() => asked(walks.retriesUnderOld).length === 1);

  const back = await startAll(old);
  expect([await after.worker.stop(), await after.api.stop()]).toEqual([0, 0]);
  failing.delete(walks.retriesUnderOld);
  await say(back.api, walks.asksUnderOld, 'L');

  const { db } = database;
  const unfinished = () => db`
    select id from runs where ended_at is null union all select message_id from outbound_messages where status <> 'sent'`;
  await vi.waitFor(async () => expect(await unfinished()).toEqual([]), 120_000);
  const seen = (walk: Walk) => ({
    // On a slow machine those that have begun it make a retry themselves.
    asked: Math.min(2, asked(walk).length),
    succeeded: succeeded.filter((name) => name === walk[1]).length,
    keys: new Set(asked(walk).map(({ headers }) => headers['idempotency-key'])).size,
    told: textsTo(walk),
  });
  const asksOnce = { asked: 1, succeeded: 1, keys: 1, told: ['Which size?', '7 left'] };
  const retriesOnce = { asked: 2, succeeded: 1, keys: 1, told: ['7 left'] };
  expect({
    asksUnderNew: seen(walks.asksUnderNew),
    asksUnderOld: seen(walks.asksUnderOld),
    retriesUnderNew: seen(walks.retriesUnderNew),
    retriesUnderOld: seen(walks.retriesUnderOld),
  }).toEqual({
    asksUnderNew: asksOnce,
    asksUnderOld: asksOnce,
    retriesUnderNew: retriesOnce,
    retriesUnderOld: retriesOnce,
  });
  const runs = await db<{ id: string; status: string }[]>`select id, status from runs order by id`;
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
  for (const { id } of runs) {
    const workflow = await describeWorkflow(rolling, `run/${showId('run', id)}`);
    expect(workflow).toMatchObject({ status: 'COMPLETED', failedTasks: 0 });
  }
  expect([await back.worker.stop(), await back.api.stop()]).toEqual([0, 0]);
  const processes = [before, after, back].flatMap(({ api, worker }) => [api, worker]);
  for (const process of processes) expect(faultsOf(process)).toEqual([]);
}, 600_000);
