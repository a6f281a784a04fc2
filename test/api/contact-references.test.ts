import { beforeEach, expect, test } from 'vitest';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact } from '../helpers/builders.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';

type Contact = { id: string; first_name: string; external_id: string | null };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body = Contact>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const create = async (fields: object, key = account.apiKey) =>
  (await as('POST', '/v1/contacts', { ...aContact(), ...fields }, key)).body;

/** What the API answers of the contact that a path names so. */
const read = (reference: string, key = account.apiKey) => as('GET', `/v1/contacts/${reference}`, undefined, key);

test.for([
  ['its external id', 'external:shop%2F4711', { external_id: 'shop/4711' }],
  ['an external id with a %', 'external:100%25', { external_id: '100%' }],
  ['an external id that reads as a reference', 'external:email:a@b.de', { external_id: 'email:a@b.de' }],
  ['an external id in letters of its own', 'external:%E8%99%9F%F0%9F%9A%80', { external_id: '號🚀' }],
  ['an external id of two lines', 'external:a%0Ab', { external_id: 'a\nb' }],
  ['the longest external id', `external:${'%E8%99%9F'.repeat(255)}`, { external_id: '號'.repeat(255) }],
  ['its e-mail address in any letter case', 'email:Ada%40EXAMPLE.com', { email: 'ada@example.com' }],
  ['an e-mail address with a plus', 'email:ada+a%2Bb@example.com', { email: 'ada+a+b@example.com' }],
  ['its phone number', 'phone:+4915112345678', { phone: '+4915112345678' }],
] as const)('a contact is named by %s, to be read and changed', async ([, reference, fields]) => {
  const contact = await create(fields);
  await create({ external_id: 'another', email: 'other@example.com', phone: '+12025550100' });
  expect(await read(reference)).toMatchObject({ status: 200, body: contact });
  const changed = await as('PATCH', `/v1/contacts/${reference}`, { first_name: 'Grace' });
  expect([changed.status, changed.body.first_name]).toEqual([200, 'Grace']);
  const inDashboard = await api.request('GET', `/dashboard/api/contacts/${reference}`, { session: account.session });
  expect(inDashboard.body).toEqual(changed.body);
});

test('what lies below a contact is reached by the same names', async () => {
  const { id } = await create({ external_id: 'shop/1' });
  const put = await as('PUT', '/v1/contacts/external:shop%2F1/tags/vip%2Fgold');
  expect(put.status).toBe(200);
  expect((await as<{ tags: string[] }>('GET', `/v1/contacts/${id}`)).body.tags).toEqual(['vip/gold']);
  expect((await as('PUT', '/v1/contacts/external:shop%2F2/tags/vip')).status).toBe(404);
});

test('messages, flows and tags of a contact are reached by each of its names, and what is made is its own', async () => {
  const fields = { external_id: 'shop/1', email: 'ada@example.com', phone: '+4915112345678' };
  const { id } = await create(fields);
  const channel = await as('POST', '/v1/channels', { type: 'api', name: 'Shop' });
  const flow = await flowCalls(api, account).createLive(aFlowDefinition({ reentry: 'allow' }));
  for (const name of [id, 'external:shop%2F1', 'email:ada%40example.com', 'phone:%2B4915112345678']) {
    const ask = (method: string, below: string, body?: unknown) =>
      as<{ contact_id?: string; data?: { contact_id: string }[] }>(method, `/v1/contacts/${name}${below}`, body);
    const made = [
      await ask('POST', '/messages', { text: 'Hello', channel_id: channel.body.id }),
      await ask('POST', '/flows', { flow_id: flow.id }),
    ];
    expect(made.map(({ status, body }) => [status, body.contact_id])).toEqual([
      [201, id],
      [201, id],
    ]);
    expect((await ask('GET', '/messages')).body.data?.[0]?.contact_id).toBe(id);
    expect((await ask('PUT', '/tags/vip')).status).toBe(200);
    expect((await ask('DELETE', '/tags/vip')).status).toBe(204);
  }
  const unknown = '/v1/contacts/external:nobody';
  expect((await as('POST', `${unknown}/messages`, { text: 'Hello' })).status).toBe(404);
  expect((await as('POST', `${unknown}/flows`, { flow_id: flow.id })).status).toBe(404);
});

test('an e-mail address or a phone number that several contacts share is 409, and says so', async () => {
  await create({});
  await create({});
  for (const reference of ['email:ada@example.com', 'phone:+4915112345678']) {
    const { status, text } = await read(reference);
    expect([status, text]).toEqual([409, expect.stringContaining('Several contacts have this')]);
    expect(text).not.toContain(reference.slice(6));
  }
});

test('an external id is of one contact of the account: 409 for another, until it is given up', async () => {
  const first = await create({ external_id: 'u-1' });
  const second = await create({});
  const take = (contact: Contact, external_id: string | null) =>
    as('PATCH', `/v1/contacts/${contact.id}`, { external_id, first_name: 'Changed' });
  const conflict = { code: 'conflict', conflict_with: { id: first.id, key: 'external_id' } };
  for (const refused of [await as('POST', '/v1/contacts', { external_id: 'u-1' }), await take(second, 'u-1')])
    expect(refused).toMatchObject({ status: 409, body: { error: conflict } });
  expect((await read(second.id)).body).toEqual(second);
  expect((await take(first, 'u-1')).status).toBe(200);
  expect((await take(first, null)).body.external_id).toBeNull();
  expect((await take(second, 'u-1')).body.external_id).toBe('u-1');
  const stranger = await api.createAccount();
  expect((await create({ external_id: 'u-1' }, stranger.apiKey)).external_id).toBe('u-1');
});

test('of several who take one external id at the same time, one gets it', async () => {
  const contacts = await Promise.all(Array.from({ length: 6 }, () => create({})));
  const taken = await Promise.all(contacts.map(({ id }) => as('PATCH', `/v1/contacts/${id}`, { external_id: 'u-1' })));
  expect(taken.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
});

test("another account's contact is 404 by whatever name", async () => {
  await create({ external_id: 'u-1' });
  const stranger = await api.createAccount();
  for (const reference of ['external:u-1', 'email:ada@example.com', 'phone:+4915112345678']) {
    expect((await read(reference, stranger.apiKey)).status).toBe(404);
    expect((await as('PATCH', `/v1/contacts/${reference}`, {}, stranger.apiKey)).status).toBe(404);
  }
});

const below = [
  ['GET', '', undefined],
  ['PATCH', '', { first_name: 'Grace' }],
  ['GET', '/messages', undefined],
  ['POST', '/messages', { text: 'Hello' }],
  ['POST', '/flows', { flow_id: 'flow_01m7yvw2dkfakacgx9c4h2m8ra' }],
  ['GET', '/timeline', undefined],
  ['PUT', '/tags/vip', undefined],
  ['DELETE', '/tags/vip', undefined],
] as const;

test.for([
  'phone:%204915112345678',
  'phone:4915112345678',
  'phone:0151%2012345678',
  'phone:%2B49',
  'phone:ada@example.com',
  'email:ada%20a@example.com',
  'email:%20ada@example.com',
])('%s can name nobody: 422 says how a plus is written, on every path below a contact', async (reference) => {
  await create({ email: 'ada+a@example.com', phone: '+4915112345678' });
  for (const [method, path, body] of below) {
    const answer = await as<unknown>(method, `/v1/contacts/${reference}${path}`, body);
    expect([method, path, answer.status]).toEqual([method, path, 422]);
    expect(answer.body).toMatchObject({
      error: { details: [{ path: 'id', message: expect.stringContaining('%2B') }] },
    });
  }
});

test.for([
  ['phone', '+4915112345678'],
  ['phone', '4915112345678'],
  ['email', 'ada+a@example.com'],
  ['email', ' ada@example.com'],
])('a list by %s=%s, whose plus is not escaped, is 422 and says how it is written', async ([name = '', value]) => {
  const { id } = await create({ email: 'ada+a@example.com', phone: '+4915112345678' });
  const { status, body } = await as<unknown>('GET', `/v1/contacts?${name}=${value}`);
  expect(status).toBe(422);
  expect(body).toMatchObject({ error: { details: [{ path: name, message: expect.stringContaining('%2B') }] } });
  const right = name === 'phone' ? 'phone=%2B4915112345678' : 'email=ada%2Ba@example.com';
  expect((await as<{ data: Contact[] }>('GET', `/v1/contacts?${right}`)).body.data).toMatchObject([{ id }]);
});
