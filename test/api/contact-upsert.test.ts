import { beforeEach, describe, expect, test } from 'vitest';
import { lockContact } from '../../src/shared/contacts/lock-contact.ts';
import { writeFields } from '../../src/shared/contacts/write-fields.ts';
import { readId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { holdLock } from '../helpers/locks.ts';

type Contact = { id: string; first_name: string | null; email: string | null; external_id: string | null };
type Refused = { error: { code: string; conflict_with?: { id: string; key: string } } };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body = Contact>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body & Refused>(method, path, { key, body });
const put = (body: unknown, key = account.apiKey) => as('PUT', '/v1/contacts', body, key);
const create = async (fields: object) => (await as('POST', '/v1/contacts', fields)).body;
const read = async ({ id }: Contact) => (await as('GET', `/v1/contacts/${id}`)).body;

/** How often new_contact was told of which contacts, in their order. */
const told = async (): Promise<string[]> => {
  const events = await api.db<{ contactId: string }[]>`
    select contact_id from events where account_id = ${account.accountId} and name = 'new_contact' order by id`;
  return events.map(({ contactId }) => contactId);
};
const countContacts = async () => (await api.db`select from contacts where account_id = ${account.accountId}`).count;

const keys = { external_id: 'shop/1', email: 'ada@example.com', phone: '+4915112345678' };

describe('a contact that is put', () => {
  test('and is not there is created: 201, and one new_contact', async () => {
    const { status, body } = await put(aContact(keys));
    expect([status, await read(body)]).toEqual([201, body]);
    expect(body).toMatchObject(aContact(keys));
    expect(await told()).toEqual([readId('contact', body.id)]);
  });

  test('and is there is changed: 200; what is not given stays, custom fields are merged, null empties, and nothing is told again', async () => {
    const { body: before } = await put(aContact(keys));
    const { status, body } = await put({
      external_id: keys.external_id,
      first_name: 'Grace',
      phone: null,
      custom_fields: { orders: 4, vip: null },
    });
    expect(status).toBe(200);
    const changed = { first_name: 'Grace', phone: null, custom_fields: { note: 'likes engines', orders: 4 } };
    expect(body).toEqual({ ...before, ...changed, updated_at: expect.any(String) });
    expect(await read(body)).toEqual(body);
    expect(await told()).toHaveLength(1);
  });

  test.for([
    ['its external id', { external_id: keys.external_id, email: 'new@example.com' }],
    ['its e-mail address in any letter case', { email: 'ADA@Example.com', phone: '+12025550100' }],
    ['its phone number', { phone: keys.phone, email: 'new@example.com' }],
    ['all of them', keys],
  ] as const)('is found by %s, and gets the other keys that are given', async ([, given]) => {
    const { body: ada } = await put(keys);
    await create({ external_id: 'other', email: 'other@example.com', phone: '+12025550199' });
    expect(await put({ ...given, first_name: 'Found' })).toMatchObject({
      status: 200,
      body: { id: ada.id, first_name: 'Found', ...given },
    });
  });

  test('gets the external id that it has not had yet', async () => {
    const ada = await create({ email: keys.email });
    expect(await put(keys)).toMatchObject({ status: 200, body: { id: ada.id, ...keys } });
  });

  test('is the one that wrote before', async () => {
    const channel = await as('POST', '/v1/channels', { type: 'api', name: 'Shop' });
    const message = anInboundMessage({ sender: { external_id: 'u-1', email: keys.email } });
    type Received = { contact_id: string };
    const inbound = await as<Received>('POST', `/v1/channels/${channel.body.id}/inbound`, message);
    expect(await put(keys)).toMatchObject({ status: 200, body: { id: inbound.body.contact_id } });
    expect(await told()).toHaveLength(1);
  });

  test("is another account's business no more than its keys are", async () => {
    const { body: ada } = await put(keys);
    const stranger = await api.createAccount();
    const theirs = await put({ ...keys, first_name: 'Theirs' }, stranger.apiKey);
    expect([theirs.status, theirs.body.id === ada.id]).toEqual([201, false]);
    expect(await read(ada)).toEqual(ada);
  });

  test('starts what new_contact starts, once', async () => {
    const definition = aFlowDefinition({ triggers: [{ type: 'new_contact' }] });
    await flowCalls(api, account).createLive(definition);
    const { body } = await put(keys);
    await put(keys);
    const runs = await as<{ data: { contact_id: string }[] }>('GET', '/v1/runs');
    expect(runs.body.data.map(({ contact_id }) => contact_id)).toEqual([body.id]);
  });
});

describe('409, with the contact and its key, and nothing is written, where', () => {
  test('the keys are of two contacts', async () => {
    const ada = await create({ external_id: keys.external_id });
    const grace = await create({ email: keys.email });
    const { status, body } = await put({ ...keys, first_name: 'Both' });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: 'conflict', conflict_with: { id: grace.id, key: 'email' } });
    expect([await read(ada), await read(grace)]).toEqual([ada, grace]);
    expect(await told()).toHaveLength(2);
  });

  test('e-mail address and phone number are of two contacts', async () => {
    await create({ email: keys.email });
    const grace = await create({ phone: keys.phone });
    const { body } = await put({ email: keys.email, phone: keys.phone });
    expect(body.error.conflict_with).toEqual({ id: grace.id, key: 'phone' });
  });

  test('the contact of the e-mail address has another external id', async () => {
    const ada = await create({ external_id: 'another', email: keys.email });
    const { status, body } = await put(keys);
    expect([status, body.error.conflict_with]).toEqual([409, { id: ada.id, key: 'email' }]);
    expect(await read(ada)).toEqual(ada);
  });

  test('several share what is given; whoever has more of it, or the external id, is meant', async () => {
    const ada = await create(keys);
    const grace = await create({ email: keys.email });
    expect(await put({ email: keys.email })).toMatchObject({
      status: 409,
      body: { error: { conflict_with: { id: grace.id, key: 'email' } } },
    });
    for (const given of [keys, { email: keys.email, phone: keys.phone }])
      expect(await put(given)).toMatchObject({ status: 200, body: { id: ada.id } });
    expect(await read(grace)).toEqual(grace);
  });
});

describe('of many at once', () => {
  test('one creates the contact, and new_contact is told once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => put({ ...keys, first_name: `n-${n}` })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect([await countContacts(), (await told()).length]).toEqual([1, 1]);
  });

  test('that overlap in some keys each finds the one contact, or is told of it', async () => {
    const { external_id, email, phone } = keys;
    const some = [{ external_id, email }, { email, phone }, { phone, external_id }, { email: email.toUpperCase() }];
    const answers = await Promise.all(Array.from({ length: 4 }, () => some.map((given) => put(given))).flat());
    expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
    const owners = await api.db<{ count: number }[]>`
      select count(*)::int from contacts where account_id = ${account.accountId} and email is not null group by lower(email)`;
    expect(owners).toEqual([{ count: 1 }]);
    expect(await told()).toHaveLength(await countContacts());
  });

  test('an external id goes to one, whether it is put or posted', async () => {
    const { external_id } = keys;
    const both = [() => put({ external_id }), () => as('POST', '/v1/contacts', { external_id })];
    const answers = await Promise.all(Array.from({ length: 5 }, () => both.map((send) => send())).flat());
    expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect([await countContacts(), (await told()).length]).toEqual([1, 1]);
  });

  test('whoever has the contact is waited for, and who has its key afterwards is looked for anew', async () => {
    const ada = await create({ email: keys.email });
    const of = { accountId: account.accountId, contactId: readId('contact', ada.id) };
    const held = await holdLock(api.db, async (sql) => {
      await lockContact(sql, of);
      await writeFields(sql, { ...of, custom: {}, profile: { email: 'ada@other.example' } });
    });
    const putting = put({ email: keys.email });
    await held.hasStopped('for no key update');
    await held.letThrough();
    const { status, body } = await putting;
    expect([status, body.id === ada.id]).toEqual([201, false]);
  });
});

test.for([
  ['no key', { first_name: 'Ada' }],
  ['keys that are null', { external_id: null, email: null }],
  ['an empty external id', { external_id: '' }],
  ['an id of ours', { id: 'con_01jd6z3qf5e8pb2zv0w8c4x1kn', external_id: 'x' }],
  ['a list of contacts', [keys]],
] as const)('%s is 422, and writes nothing', async ([, body]) => {
  expect((await put(body)).status).toBe(422);
  expect(await countContacts()).toBe(0);
});

test('the dashboard puts contacts, too', async () => {
  const dashboard = (body: object) =>
    api.request<Contact>('PUT', '/dashboard/api/contacts', { session: account.session, body });
  const { status, body } = await dashboard(keys);
  expect([status, (await dashboard(keys)).status, (await put(keys)).body.id]).toEqual([201, 200, body.id]);
});
