import { expect, test } from 'vitest';
import { newUuid } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage, anOrder } from '../helpers/builders.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';

type Answer = { id: string; error?: { code: string; conflict_with?: { id: string; key: string | null } } };

const api = await useApi();
const account = await api.createAccount();
const flows = flowCalls(api, account);

const call = <Body = Answer>(method: string, path: string, body?: object) =>
  api.request<Body>(method, `/v1${path}`, { key: account.apiKey, body });
const post = <Body = Answer>(path: string, body?: object) => call<Body>('POST', path, body);
const create = async (path: string, body: object) => (await post(path, body)).body.id;

const aPerson = (fields: object = {}) =>
  create('/contacts', { ...aContact(), email: `${newUuid()}@example.com`, ...fields });
const tag = (name: string) => create('/tags', { name });
const field = (key: string) => create('/custom-fields', { key, name: key, type: 'text' });
const aCredential = (name: string) => ({
  name,
  type: 'bearer',
  hosts: ['api.example.com'],
  token: 'a-long-enough-token',
});

/** A draft that puts this tag on contacts. */
const tagging = async (name: string) =>
  (await flows.create(aFlowDefinition({ blocks: [{ id: 'add', type: 'add_tag', tag: name }] }))).id;

/** Each makes a thing and a request that collides with it, and answers the id of the thing and what was answered. */
const collisions: readonly [
  name: string,
  key: string | null,
  collide: () => Promise<[id: string, answer: { status: number; body: Answer }]>,
][] = [
  [
    'an order of another contact',
    'external_id',
    async () => {
      const order = anOrder(await aPerson());
      return [await create('/orders', order), await post('/orders', { ...order, contact_id: await aPerson() })];
    },
  ],
  [
    'a message to another contact with the client_ref',
    'client_ref',
    async () => {
      const channel_id = await create('/channels', { type: 'api', name: 'Shop' });
      const message = { text: 'Hello', channel_id, client_ref: 'order-17' };
      const id = await create(`/contacts/${await aPerson()}/messages`, message);
      return [id, await post(`/contacts/${await aPerson()}/messages`, message)];
    },
  ],
  [
    'another open conversation of the contact',
    null,
    async () => {
      const channelId = await create('/channels', { type: 'api', name: 'Shop' });
      const opened = async () => {
        const message = anInboundMessage({ sender: { external_id: 'ada' } });
        const { body } = await post<{ message: { id: string } }>(`/channels/${channelId}/inbound`, message);
        return (await call<{ conversation_id: string }>('GET', `/messages/${body.message.id}`)).body.conversation_id;
      };
      const first = await opened();
      await post(`/conversations/${first}/close`);
      return [await opened(), await post(`/conversations/${first}/reopen`)];
    },
  ],
  [
    'the run of a contact that is in the flow',
    null,
    async () => {
      const [contact, flow] = [await aPerson(), await flows.createLive()];
      const enrol = () => post(`/contacts/${contact}/flows`, { flow_id: flow.id });
      return [(await enrol()).body.id, await enrol()];
    },
  ],
  ['a tag of the name', 'name', async () => [await tag('vip'), await post('/tags', { name: 'VIP' })]],
  [
    'another tag of the name, on renaming',
    'name',
    async () => [await tag('gold'), await call('PATCH', `/tags/${await tag('silver')}`, { name: 'Gold' })],
  ],
  [
    'a custom field of the key',
    'key',
    async () => [await field('size'), await post('/custom-fields', { key: 'size', name: 'Size', type: 'number' })],
  ],
  [
    'a credential of the name',
    'name',
    async () => [await create('/credentials', aCredential('shop')), await post('/credentials', aCredential('shop'))],
  ],
  [
    'the open replay of the filter',
    null,
    async () => [await create('/replays', { status: ['failed'] }), await post('/replays', { status: ['failed'] })],
  ],
  [
    'a flow that uses the tag that is deleted',
    null,
    async () => {
      const id = await tag('blue');
      const first = await tagging('blue');
      await tagging('blue');
      return [first, await call('DELETE', `/tags/${id}`)];
    },
  ],
  [
    'a flow that uses the tag that is renamed',
    null,
    async () => {
      const id = await tag('red');
      return [await tagging('red'), await call('PATCH', `/tags/${id}`, { name: 'crimson' })];
    },
  ],
  [
    'a flow that starts the one that is archived',
    null,
    async () => {
      const child = await flows.createLive();
      const blocks = [{ id: 'start', type: 'start_flow', flow_id: child.id }];
      return [(await flows.createLive(aFlowDefinition({ blocks }))).id, await post(`/flows/${child.id}/archive`)];
    },
  ],
  [
    'one of the contacts that share what the path names',
    'email',
    async () => {
      const email = 'shared@example.com';
      const first = await aPerson({ email });
      await aPerson({ email });
      return [first, await call('GET', `/contacts/email:${email}`)];
    },
  ],
];

test.for(collisions)('a 409 names %s', async ([, key, collide]) => {
  const [id, { status, body }] = await collide();
  expect([status, body.error?.code]).toEqual([409, 'conflict']);
  expect(id).toEqual(expect.any(String));
  expect(body.error?.conflict_with).toEqual({ id, key });
});
