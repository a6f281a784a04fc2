import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage, anOrder } from '../helpers/builders.ts';
import { aFlowDefinition } from '../helpers/flows.ts';
import { sendAnything } from '../helpers/test-endpoint.ts';
import { aVisitor, aWebchat } from '../helpers/webchat/visitor.ts';

const api = await useApi({ testEndpoint: true });
const owner = await api.createAccount();
const stranger = await api.createAccount();

const credentialOf = (path: string, { apiKey, session }: TestAccount) =>
  path.startsWith('/dashboard/') ? { session } : { key: apiKey };

const ask = (method: string, path: string, { by = owner, body }: { by?: TestAccount; body?: unknown } = {}) =>
  api.request(method, path, { ...credentialOf(path, by), ...(body !== undefined && { body }) });

const withId = z.object({ id: z.string() });
const make = async (path: string, body: object, by = owner): Promise<string> => {
  const answer = await ask('POST', `/v1${path}`, { by, body });
  return withId.parse(answer.body).id;
};
const firstOf = async (path: string): Promise<string> => {
  const { body } = await ask('GET', path);
  const [first] = z.object({ data: z.array(withId) }).parse(body).data;
  return first?.id ?? expect.fail(`nothing at ${path}`);
};

const aVisitorsConversation = async (): Promise<string> => {
  const visitor = aVisitor(api, await aWebchat(api, owner));
  await visitor.say('Hello');
  const { conversation } = await visitor.read();
  return conversation?.id ?? expect.fail('no conversation');
};

const aTestRequest = async (): Promise<string> => {
  const { body } = await ask('GET', '/v1/test-endpoint');
  await sendAnything(z.object({ url: z.string() }).parse(body).url);
  return firstOf('/v1/test-endpoint/requests');
};

/** What the owner has of everything that a path can name by its id, by the part of the path before it. */
let things: Record<string, string>;
/** Bodies for which the example of the document is not enough: it names a flow, or a host, that is nowhere. */
let bodies: Record<string, object>;
let scenarioId: string;
/** Of what only some of them have, by the end of the path. */
let thingsOfPaths: Record<string, string>;
beforeAll(async () => {
  const url = 'https://receiver.example/';
  const webhooks = showId('webhook', await insertWebhook(api.deps, { ...owner, url }));
  const contacts = await make('/contacts', aContact());
  const channels = await make('/channels', { type: 'api', name: 'Shop' });
  const inbound = await ask('POST', `/v1/channels/${channels}/inbound`, { body: anInboundMessage() });
  const aLiveFlow = async (by: TestAccount): Promise<string> => {
    const id = await make('/flows', { name: 'Hello', definition: aFlowDefinition() }, by);
    await ask('POST', `/v1/flows/${id}/publish`, { by });
    return id;
  };
  const flows = await aLiveFlow(owner);
  bodies = { NewEnrollment: { flow_id: await aLiveFlow(stranger) }, ChannelChanges: { name: 'Theirs' } };
  const invited = await ask('POST', '/dashboard/api/users', { body: { email: 'grace@example.com', role: 'agent' } });
  const view = await ask('POST', '/dashboard/api/views', { body: { list: 'runs', name: 'Mine', query: '' } });
  const scenario = await ask('POST', `/v1/flows/${flows}/scenarios`, {
    body: { name: 'Hello', simulation: {}, expected: { status: 'completed' } },
  });
  scenarioId = withId.parse(scenario.body).id;
  things = {
    webhooks,
    contacts,
    channels,
    flows,
    messages: z.object({ message: withId }).parse(inbound.body).message.id,
    runs: await make(`/contacts/${contacts}/flows`, { flow_id: flows }),
    conversations: await firstOf('/v1/conversations'),
    orders: await make('/orders', anOrder(contacts)),
    handovers: await make('/handovers', { contact_id: contacts, reason: 'Help' }),
    'canned-replies': await make('/canned-replies', { shortcut: 'hi', text: 'Hi!' }),
    tags: await make('/tags', { name: 'vip' }),
    'custom-fields': await make('/custom-fields', { key: 'size', name: 'Size', type: 'text' }),
    credentials: await make('/credentials', { name: 'shop', type: 'bearer', hosts: ['a.example'], token: 'x' }),
    deliveries: await firstOf('/v1/deliveries'),
    events: await firstOf('/v1/events'),
    replays: await make('/replays', { webhook_id: webhooks }),
    retries: await make('/retries', { flow_id: flows, block_id: 'hello' }),
    'api-keys': await firstOf('/dashboard/api/api-keys'),
    invitations: withId.parse(invited.body).id,
    users: showId('user', owner.userId),
    views: withId.parse(view.body).id,
    media: await make('/media', Buffer.from('hello')),
    sessions: await firstOf('/dashboard/api/sessions'),
    requests: await aTestRequest(),
  };
  thingsOfPaths = { '/conversations/{id}/visitor': await aVisitorsConversation() };
});

const operation = z.object({
  requestBody: z
    .object({ content: z.object({ 'application/json': z.looseObject({ schema: z.unknown() }) }) })
    .optional(),
});
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })) }),
});

type Asked = { method: string; path: string; body: unknown };

/** Every operation that names a thing by its id, on the owner's things, with the body that the document shows as its example. */
const listOperations = async (): Promise<Asked[]> => {
  const { paths, components } = document.parse((await ask('GET', '/openapi.json')).body);
  const exampleOf = (schema: unknown): unknown => {
    const [, name = ''] = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(schema)) ?? [];
    return bodies[name] ?? components.schemas[name]?.example ?? {};
  };
  const thingOf = (path: string) => Object.entries(thingsOfPaths).find(([end]) => path.endsWith(end))?.[1];
  const others: Record<string, string> = {
    name: 'vip',
    version: '1',
    block: 'hello',
    scenario: scenarioId,
    kind: 'reply',
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, told]) => {
      const [, kind] = /\/([a-z-]+)\/\{id\}/.exec(path) ?? [];
      if (kind === undefined || method === 'servers') return [];
      const { requestBody } = operation.parse(told);
      return {
        method: method.toUpperCase(),
        path: path
          .replace('{id}', thingOf(path) ?? things[kind] ?? `nothing of ${kind}`)
          .replace(/\{(\w+)\}/g, (_, name: string) => others[name] ?? expect.fail(name)),
        body: requestBody && exampleOf(requestBody.content['application/json'].schema),
      };
    }),
  );
};

/** What the owner reads of them all, one after the other: an account reads few lists at once. */
const readAll = async (operations: readonly Asked[]) => {
  const answers = [];
  for (const { method, path } of operations) {
    if (method !== 'GET') continue;
    const { status, body } = await ask(method, path);
    answers.push({ path, status, body });
  }
  return answers;
};

test('whatever an operation does with a thing by its id, for another account it is 404, and changes nothing', async () => {
  const operations = await listOperations();
  expect(operations.length).toBeGreaterThan(100);
  const before = await readAll(operations);
  expect(before.filter(({ status }) => status !== 200)).toEqual([]);
  const answers: string[] = [];
  for (const { method, path, body } of operations) {
    const { status, text } = await ask(method, path, { by: stranger, body });
    if (status !== 404) answers.push(`${method} ${path}: ${status} ${text}`);
  }
  expect(answers).toEqual([]);
  expect(await readAll(operations)).toEqual(before);
});
