import { describe, expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { storePhone } from '../helpers/states/contacts.ts';

type Contact = { id: string; phone: string | null };
type Problems = { error: { details: { path: string }[] } };

const api = await useApi();

/** An account of this country, and what it may ask. */
const anAccount = async (country: string | null) => {
  const { apiKey: key, accountId } = await api.createAccount();
  const as = <Body = Contact>(method: string, path: string, body?: unknown) =>
    api.request<Body>(method, path, { key, body });
  await as('PATCH', '/v1/account', { default_country: country });
  const create = async (fields: object = {}) => (await as('POST', '/v1/contacts', fields)).body;
  const channel = await as('POST', '/v1/channels', { type: 'api', name: 'Shop' });
  const receive = (phone: string) =>
    as<{ contact_id: string; skipped_fields: { path: string }[] }>(
      'POST',
      `/v1/channels/${channel.body.id}/inbound`,
      anInboundMessage({ sender: { external_id: phone, phone } }),
    );
  return { accountId, as, create, receive };
};

type Account = Awaited<ReturnType<typeof anAccount>>;

/** Where a caller gives a number: the number that the contact then has. */
const writers: Record<string, (account: Account, phone: string) => Promise<string | null>> = {
  'a contact that is created': async ({ create }, phone) => (await create({ phone })).phone,
  'a contact that is changed': async ({ as, create }, phone) =>
    (await as('PATCH', `/v1/contacts/${(await create()).id}`, { phone })).body.phone,
  'a contact that is changed or created': async ({ as }, phone) =>
    (await as('PUT', '/v1/contacts', { phone })).body.phone,
  'the sender of a message': async ({ as, receive }, phone) => {
    const { body } = await receive(phone);
    expect(body.skipped_fields).toEqual([]);
    return (await as('GET', `/v1/contacts/${body.contact_id}`)).body.phone;
  },
};

/** How a caller finds a contact by its number: the ids that are found. */
const readers: Record<string, (account: Account, phone: string) => Promise<string[]>> = {
  'a path': async ({ as }, phone) => [(await as('GET', `/v1/contacts/phone:${encodeURIComponent(phone)}`)).body.id],
  'a filter': async ({ as }, phone) => {
    const { body } = await as<{ data: Contact[] }>('GET', `/v1/contacts?phone=${encodeURIComponent(phone)}`);
    return body.data.map(({ id }) => id);
  },
  'the key of a change': async ({ as }, phone) => [(await as('PUT', '/v1/contacts', { phone })).body.id],
};

const spellings = [
  ['DE', '0151 2345678', '+491512345678'],
  ['DE', '(0151) 234-56 78', '+491512345678'],
  ['DE', '٠١٥١ ٢٣٤٥٦٧٨', '+491512345678'],
  ['GB', '020 7946 0958', '+442079460958'],
  ['DE', '+44 (0)20 7946 0958', '+442079460958'],
  [null, '+44 (0)20 7946 0958', '+442079460958'],
  [null, '0049 151 2345678', '+491512345678'],
  [null, '+491512345678', '+491512345678'],
] as const;

describe.for(Object.entries(writers))('%s', ([, write]) => {
  test.for(spellings)('in an account of %s has of %j the number %s', async ([country, phone, number]) => {
    expect(await write(await anAccount(country), phone)).toBe(number);
  });
});

describe.for(Object.entries(readers))('%s', ([, find]) => {
  test.for(spellings)('in an account of %s finds by %j the contact of %s', async ([country, phone, number]) => {
    const account = await anAccount(country);
    const { id } = await account.create({ phone: number });
    await account.create({ phone: '+12025550100' });
    expect(await find(account, phone)).toEqual([id]);
  });

  test('finds a contact whose number an earlier version stored as it was written', async () => {
    const account = await anAccount('DE');
    const { id } = await account.create();
    await storePhone(api.db, { accountId: account.accountId, phone: '+4402079460958' });
    expect(await find(account, '+4402079460958')).toEqual([id]);
  });
});

test('a national number is refused where the account has no country, with all other problems', async () => {
  const { as } = await anAccount(null);
  const changes = { phone: '0151 2345678' };
  for (const [method, path] of [
    ['POST', '/v1/contacts'],
    ['PUT', '/v1/contacts'],
  ] as const) {
    const answer = await as<Problems>(method, path, { ...changes, email: 'ada@' });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.map(({ path }) => path).toSorted()).toEqual(['email', 'phone']);
    expect((await as(method, path, changes)).status).toBe(422);
  }
});

test('a message is taken whatever number its sender has, from a known contact, too', async () => {
  const { as, receive } = await anAccount(null);
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await receive('0151 2345678');
    expect([status, body.skipped_fields.map(({ path }) => path)]).toEqual([202, ['sender.phone']]);
    expect((await as('GET', `/v1/contacts/${body.contact_id}`)).body.phone).toBeNull();
  }
});

test('another country leaves the numbers that are stored as they are', async () => {
  const { as, create } = await anAccount('DE');
  const { id } = await create({ phone: '0151 2345678' });
  expect((await as('PATCH', '/v1/account', { default_country: 'gb' })).body).toMatchObject({ default_country: 'GB' });
  expect((await as('GET', `/v1/contacts/${id}`)).body.phone).toBe('+491512345678');
});

test.for(['Germany', 'ZZ', 'D', '', 49])(
  '%j is no country of an account: 422, and nothing changes',
  async (country) => {
    const { as } = await anAccount('DE');
    expect((await as('PATCH', '/v1/account', { default_country: country, name: 'Hats' })).status).toBe(422);
    expect((await as('GET', '/v1/account')).body).toMatchObject({ default_country: 'DE', name: 'Acme' });
  },
);
