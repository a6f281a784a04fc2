import { beforeEach, describe, expect, test } from 'vitest';
import { lockContact } from '../../src/shared/contacts/lock-contact.ts';
import { writeFields } from '../../src/shared/contacts/write-fields.ts';
import { readId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact } from '../helpers/builders.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { flowCalls } from '../helpers/flows.ts';

type Contact = { id: string; custom_fields: Record<string, unknown>; updated_at: string; created_at: string };
type Page = { data: Contact[]; next_cursor: string | null };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body = Contact>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const eventsOfAccount = () => api.db<{ name: string; channel: string; contactId: string }[]>`
  select name, channel, contact_id from events where account_id = ${account.accountId} order by id`;

describe('creating', () => {
  test('answers 201 with the contact, which reads the same, and emits new_contact over the channel "api"', async () => {
    const created = await as('POST', '/v1/contacts', aContact());
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...aContact(),
      id: expect.stringMatching(/^con_/),
      tags: [],
      external_id: null,
      automation_paused_until: null,
      status: 'active',
      last_channel: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await as('GET', `/v1/contacts/${created.body.id}`)).body).toEqual(created.body);
    expect(await eventsOfAccount()).toMatchObject([{ name: 'new_contact', channel: 'api' }]);
  });

  test('takes a contact of which nothing is known', async () => {
    const { status, body } = await as('POST', '/v1/contacts', {});
    expect(status).toBe(201);
    expect(body).toMatchObject({ first_name: null, email: null, custom_fields: {} });
  });

  test('writes languages and time zones in their own spelling', async () => {
    const { body } = await as('POST', '/v1/contacts', { language: 'PT-br', time_zone: 'europe/LONDON' });
    expect(body).toMatchObject({ language: 'pt-BR', time_zone: 'Europe/London' });
  });

  test.for([
    ['a name of 201 characters', { first_name: 'x'.repeat(201) }],
    ['an empty name', { last_name: '' }],
    ['an e-mail address without a host', { email: 'ada@' }],
    ['a national phone number', { phone: '01511 2345678' }],
    ['a made-up language', { language: 'klingon language' }],
    ['a made-up time zone', { time_zone: 'Europe/Atlantis' }],
    ['an offset as a time zone', { time_zone: '+01:00' }],
    ['custom fields as a list', { custom_fields: [] }],
    ['a custom field with a reserved key', { custom_fields: { tags: ['a'] } }],
    ['a custom field nested deeper than 50', `{"custom_fields":{"deep":${'['.repeat(60)}${']'.repeat(60)}}}`],
    ['a custom field of 20,001 characters', { custom_fields: { big: ['x'.repeat(19_997), 1] } }],
    ['an external id of 256 characters', { external_id: 'x'.repeat(256) }],
    ['an empty external id', { external_id: '' }],
    ['a pause until a date', { automation_paused_until: '2126-01-31' }],
    ['a pause until the year 0', { automation_paused_until: '0001-01-01T00:00:00+14:00' }],
    ['a pause until the year 10000', { automation_paused_until: '9999-12-31T23:59:59-14:00' }],
    ['a custom field with capitals', { custom_fields: { VIP: true } }],
    ['a custom field that starts with a digit', { custom_fields: { '1st': true } }],
    ['an infinite number', '{"custom_fields":{"size":1e999}}'],
    ['a text of 5001 characters', { custom_fields: { note: 'x'.repeat(5001) } }],
    ['101 custom fields', { custom_fields: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, n])) }],
    ['a field of ours', { status: 'blocked' }],
    ['an unknown field', { colour: 'blue' }],
    ['a name of 10 kB', { first_name: 'x'.repeat(10_000) }],
    ['a name that is a number', { last_name: 7 }],
    ['a name with NUL', { first_name: 'a\0b' }],
    ['half a surrogate pair', { first_name: '\ud800' }],
    ['an e-mail address of 255 characters', { email: `${'x'.repeat(243)}@example.com` }],
    ['an e-mail address as a list', { email: ['ada@example.com'] }],
    ['a phone number of 16 digits', { phone: '+4915112345678901' }],
    ['a phone number as a number', { phone: 4_915_112_345_678 }],
    ['an external id that is a number', { external_id: 4711 }],
  ] as const)('refuses %s with 422, also in an upsert, and writes nothing', async ([, body]) => {
    const put = typeof body === 'string' ? body : { external_id: 'u-1', ...body };
    for (const [method, sent] of [
      ['POST', body],
      ['PUT', put],
    ] as const)
      expect((await as(method, '/v1/contacts', sent)).status).toBe(422);
    expect((await api.db`select 1 from contacts where account_id = ${account.accountId}`).count).toBe(0);
    expect(await eventsOfAccount()).toEqual([]);
  });

  test.for([
    ['broken UTF-8', Buffer.from('{"external_id":"\xff"}', 'latin1'), 400],
    ['no JSON', '{"external_id":', 400],
    ['more than 256 KiB', { external_id: 'u-1', custom_fields: { note: 'x'.repeat(262_144) } }, 413],
  ] as const)('refuses %s with what is meant for such a body', async ([, body, status]) => {
    for (const method of ['POST', 'PUT']) expect((await as(method, '/v1/contacts', body)).status).toBe(status);
    expect(await eventsOfAccount()).toEqual([]);
  });
});

describe('the status', () => {
  const statusOf = async (id: string) => (await as<{ status: string }>('GET', `/v1/contacts/${id}`)).body.status;

  test('is changed by PATCH, and a contact that is not active gets no message: 409', async () => {
    const { body: contact } = await as<{ id: string }>('POST', '/v1/contacts', { first_name: 'Ada' });
    const path = `/v1/contacts/${contact.id}`;
    for (const status of ['unsubscribed', 'blocked']) {
      expect(await as('PATCH', path, { status })).toMatchObject({ status: 200, body: { status, first_name: 'Ada' } });
      expect(await as('POST', `${path}/messages`, { text: 'Hello' })).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining(status) } },
      });
    }
    await as('PATCH', path, { last_name: 'King' });
    expect(await statusOf(contact.id)).toBe('blocked');
    expect((await as('PATCH', path, { status: 'active' })).body).toMatchObject({ status: 'active' });
  });

  test('is one of three: anything else is 422, and changes nothing', async () => {
    const { body: contact } = await as<{ id: string }>('POST', '/v1/contacts', { first_name: 'Ada' });
    for (const status of ['', 'Blocked', null, 7, 'deleted', ['blocked']])
      expect((await as('PATCH', `/v1/contacts/${contact.id}`, { status })).status).toBe(422);
    expect(await statusOf(contact.id)).toBe('active');
  });
});

describe('changing', () => {
  test('changes what is named, leaves the rest, merges custom fields, and empties by null', async () => {
    const { body: before } = await as('POST', '/v1/contacts', aContact());
    const changes = { last_name: 'King', phone: null, custom_fields: { orders: 4, vip: null, since: '1833' } };
    const { status, body } = await as('PATCH', `/v1/contacts/${before.id}`, changes);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      last_name: 'King',
      phone: null,
      custom_fields: { orders: 4, note: 'likes engines', since: '1833' },
      updated_at: expect.any(String),
    });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await as('GET', `/v1/contacts/${before.id}`)).body).toEqual(body);
  });

  test('naming nothing changes nothing', async () => {
    const { body: before } = await as('POST', '/v1/contacts', aContact());
    const { status, body } = await as('PATCH', `/v1/contacts/${before.id}`, {});
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, updated_at: expect.any(String) });
  });

  test('a contact gets no more than 100 custom fields in all, and a refused change changes nothing', async () => {
    const fields = (prefix: string) => Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${prefix}${n}`, n]));
    const { body: before } = await as('POST', '/v1/contacts', { custom_fields: fields('a') });
    const changes = { first_name: 'Grace', custom_fields: fields('b') };
    expect((await as('PATCH', `/v1/contacts/${before.id}`, changes)).status).toBe(422);
    expect((await as('GET', `/v1/contacts/${before.id}`)).body).toEqual(before);
  });
});

test.for([
  'first_name',
  'last_name',
  'email',
  'phone',
  'language',
  'time_zone',
  'external_id',
  'automation_paused_until',
])('an empty %s is refused with how to clear it, by create, change and upsert', async (field) => {
  const { body: contact } = await as('POST', '/v1/contacts', {});
  for (const [method, path] of [
    ['POST', '/v1/contacts'],
    ['PATCH', `/v1/contacts/${contact.id}`],
    ['PUT', '/v1/contacts'],
  ] as const) {
    const answer = await as<{ error: object }>(method, path, { [field]: '' });
    const message = expect.stringMatching(/; send null to clear it$/);
    const details = expect.arrayContaining([expect.objectContaining({ path: field, message })]);
    expect([answer.status, answer.body.error]).toEqual([422, expect.objectContaining({ details })]);
  }
});

describe('the pause of automation', () => {
  const pauseUntil = (id: string, automation_paused_until: string | null) =>
    as<Contact & { automation_paused_until: string | null }>('PATCH', `/v1/contacts/${id}`, {
      automation_paused_until,
    });

  test('is set until a time ahead, told in UTC, and ended by null or by a time in the past', async () => {
    const { body } = await as('POST', '/v1/contacts', { automation_paused_until: '2126-01-31T12:00:00+02:00' });
    expect(body).toMatchObject({ automation_paused_until: '2126-01-31T10:00:00.000Z' });
    for (const over of [null, '2001-01-01T00:00:00Z']) {
      expect((await pauseUntil(body.id, over)).body.automation_paused_until).toBeNull();
      const again = await pauseUntil(body.id, '2126-02-01T00:00:00Z');
      expect(again.body.automation_paused_until).toBe('2126-02-01T00:00:00.000Z');
    }
    expect((await pauseUntil(body.id, 'tomorrow')).status).toBe(422);
  });
});

/** Enrols the contact; answers whether its run has been woken since. */
const enrol = async ({ id }: Contact): Promise<() => Promise<boolean | undefined>> => {
  const flow = await flowCalls(api, account).createLive();
  const { body } = await as<{ id: string }>('POST', `/v1/contacts/${id}/flows`, { flow_id: flow.id });
  return async () => {
    const [run] = await api.db<{ woken: boolean }[]>`select woken from runs where id = ${readId('run', body.id)}`;
    return run?.woken;
  };
};

test.for([
  ['a pause of automation', { automation_paused_until: '2126-01-31T12:00:00Z' }, true],
  ['the end of a pause', { automation_paused_until: null }, true],
  ['another time zone', { time_zone: 'Asia/Tokyo' }, true],
  ['another name', { first_name: 'Grace', custom_fields: { size: 'M' } }, false],
] as const)('%s wakes the runs that wait by it, or leaves them asleep', async ([, changes, wakes]) => {
  const { body: contact } = await as('POST', '/v1/contacts', {});
  const isWoken = await enrol(contact);
  expect((await as('PATCH', `/v1/contacts/${contact.id}`, changes)).status).toBe(200);
  expect(await isWoken()).toBe(wakes);
});

test('an upsert with another time zone wakes the runs of the contact that was there', async () => {
  const { body: contact } = await as('PUT', '/v1/contacts', { external_id: 'u-1' });
  const isWoken = await enrol(contact);
  await as('PUT', '/v1/contacts', { external_id: 'u-1', time_zone: 'Asia/Tokyo' });
  expect(await isWoken()).toBe(true);
});

test('a change waits for who has the contact locked, and goes by what that one has written', async () => {
  const { body } = await as('POST', '/v1/contacts', { custom_fields: { orders: 1, size: 'M' } });
  const contact = { accountId: account.accountId, contactId: readId('contact', body.id) };
  let changing = as('PATCH', `/v1/contacts/${body.id}`, {});
  await api.db.begin(async (sql) => {
    expect(await lockContact(sql, contact)).toEqual({ timeZone: 'UTC' });
    changing = as('PATCH', `/v1/contacts/${body.id}`, { custom_fields: { orders: 2 } });
    await untilSomebodyWaits(api.db);
    expect(
      await writeFields(sql, { ...contact, custom: { orders: 7, size: null }, profile: { first_name: 'Ada' } }),
    ).toBe(undefined);
  });
  expect((await changing).body).toMatchObject({ first_name: 'Ada', custom_fields: { orders: 2 } });
});

describe('listing', () => {
  test('pages from the newest to the oldest, each contact once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await as('POST', '/v1/contacts', aContact())).body.id);
    const seen: string[] = [];
    const sizes: number[] = [];
    let path: string | undefined = '/v1/contacts?limit=2';
    while (path) {
      const { status, body }: { status: number; body: Page } = await as<Page>('GET', path);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }) => id));
      sizes.push(body.data.length);
      path = body.next_cursor === null ? undefined : `/v1/contacts?limit=2&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(ids);
    expect(sizes).toEqual([2, 2, 1]);
  });

  test('a full last page has no next one', async () => {
    await as('POST', '/v1/contacts', aContact());
    expect((await as<Page>('GET', '/v1/contacts?limit=1')).body.next_cursor).toBeNull();
  });

  test('finds by e-mail address in any case, and by phone number', async () => {
    const { body: ada } = await as('POST', '/v1/contacts', aContact({ email: 'Ada@Example.com' }));
    const { body: grace } = await as(
      'POST',
      '/v1/contacts',
      aContact({ email: 'grace@example.com', phone: '+12025550100' }),
    );
    const find = async (query: string) =>
      (await as<Page>('GET', `/v1/contacts?${query}`)).body.data.map(({ id }) => id);
    expect(await find('email=ADA%40example.com')).toEqual([ada.id]);
    expect(await find('phone=%2B12025550100')).toEqual([grace.id]);
    expect(await find('email=nobody%40example.com')).toEqual([]);
  });
});

test("another account's contact is 404 to read and to change, and in no list", async () => {
  const stranger = await api.createAccount();
  const { body: theirs } = await as('POST', '/v1/contacts', aContact(), stranger.apiKey);
  expect((await as('GET', `/v1/contacts/${theirs.id}`)).status).toBe(404);
  expect((await as('PATCH', `/v1/contacts/${theirs.id}`, { first_name: 'Mine' })).status).toBe(404);
  expect((await as<Page>('GET', '/v1/contacts')).body.data).toEqual([]);
  expect((await as('GET', `/v1/contacts/${theirs.id}`, undefined, stranger.apiKey)).body).toEqual(theirs);
});
