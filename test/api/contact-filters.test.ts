import { beforeAll, describe, expect, test } from 'vitest';
import { readConditions } from '../../src/shared/contacts/field-conditions.ts';
import { listContacts, type ContactFilter } from '../../src/shared/contacts/find-contacts.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { manyContacts } from '../helpers/states/contacts.ts';

type Contact = { id: string; first_name: string | null; updated_at: string };
type Page = { data: Contact[]; next_cursor: string | null; error?: { details: { path: string; message: string }[] } };

const api = await useApi();
const account = await api.createAccount();

const as = <Body>(method: string, path: string, body?: unknown, { apiKey: key }: TestAccount = account) =>
  api.request<Body>(method, `/v1${path}`, { key, body });

/** The first names of those that a query finds, in the order of the list. */
const find = async (query: string, by = account): Promise<string[]> => {
  const { status, body, text } = await as<Page>('GET', `/contacts?${query}`, undefined, by);
  expect([status, text]).toEqual([200, expect.anything()]);
  return body.data.map(({ first_name }) => first_name ?? '');
};

/** The same, page after page. */
const findAll = async (query: string, limit: number): Promise<string[]> => {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: Page } = await as<Page>(
      'GET',
      `/contacts?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
    );
    names.push(...body.data.map(({ first_name }) => first_name ?? ''));
    expect(body.data.length).toBeGreaterThan(0);
    cursor = body.next_cursor;
  }
  return names;
};

const fields = {
  size: 'text',
  orders: 'number',
  vip: 'boolean',
  born: 'date',
  seen: 'datetime',
  likes: 'list',
  raw: 'json',
};

/** From the oldest to the newest. */
const people = [
  {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'Ada@Example.com',
    phone: '+4915112345678',
    external_id: 'shop/1',
    custom_fields: {
      size: 'M',
      orders: 3,
      vip: true,
      born: '1815-12-10',
      seen: '2026-11-01T10:00:00Z',
      likes: ['engines'],
      raw: { a: 1 },
    },
    tags: ['VIP', 'maths'],
  },
  {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@example.com',
    phone: '+12025550100',
    external_id: 'shop/2',
    custom_fields: {
      size: 'L',
      orders: 12,
      vip: false,
      born: '1906-12-09',
      seen: '2026-11-02T10:00:00Z',
      likes: ['ships', 'engines'],
    },
    tags: ['vip'],
  },
  {
    first_name: 'Alan',
    last_name: 'Adams',
    email: null,
    external_id: 'Shop/3',
    custom_fields: { size: '100%_of M' },
    tags: ['maths'],
  },
  { first_name: 'Zoë', last_name: null, custom_fields: {}, tags: [] },
];

beforeAll(async () => {
  for (const [key, type] of Object.entries(fields)) await as('POST', '/custom-fields', { key, name: key, type });
  for (const { tags, ...person } of people) {
    const { body } = await as<Contact>('POST', '/contacts', person);
    for (const tag of tags) await as('PUT', `/contacts/${body.id}/tags/${tag}`);
  }
});

describe('contacts are found', () => {
  test.for([
    ['tag=vip', ['Grace', 'Ada']],
    ['tag=MATHS&tag=vip', ['Ada']],
    ['tag=nobody', []],
    ['status=active', ['Zoë', 'Alan', 'Grace', 'Ada']],
    ['status=blocked', []],
    ['field=size:eq:M', ['Ada']],
    ['field=size:eq:m', []],
    ['field=size:ne:M', ['Zoë', 'Alan', 'Grace']],
    ['field=size:contains:m', ['Alan', 'Ada']],
    ['field=size:contains:%25_', ['Alan']],
    ['field=size:exists', ['Alan', 'Grace', 'Ada']],
    ['field=size:exists:false', ['Zoë']],
    ['field=orders:eq:3', ['Ada']],
    ['field=orders:eq:3.0', ['Ada']],
    ['field=orders:gt:3', ['Grace']],
    ['field=orders:gte:3', ['Grace', 'Ada']],
    ['field=orders:lt:12', ['Ada']],
    ['field=orders:lte:12', ['Grace', 'Ada']],
    ['field=orders:gte:3&field=orders:lt:12', ['Ada']],
    ['field=vip:eq:true', ['Ada']],
    ['field=vip:ne:true', ['Zoë', 'Alan', 'Grace']],
    ['field=born:lt:1900-01-01', ['Ada']],
    ['field=seen:gte:2026-11-02T11:00:00%2B01:00', ['Grace']],
    ['field=seen:eq:2026-11-02T11:00:00%2B01:00', ['Grace']],
    ['field=likes:contains:engines', ['Grace', 'Ada']],
    ['field=likes:contains:engine', []],
    ['field=raw:exists:true', ['Ada']],
    ['search=ad', ['Ada', 'Alan']],
    ['search=ADA%20LOVE', ['Ada']],
    ['search=ada@', ['Ada']],
    ['search=hop', ['Grace']],
    ['search=%2B1202', ['Grace']],
    ['search=shop/', ['Ada', 'Grace']],
    ['search=zo%C3%AB', ['Zoë']],
    ['search=%25', []],
    ['search=_da', []],
    ['search=a&tag=maths&field=size:exists', ['Ada', 'Alan']],
    ['tag=vip&field=orders:gt:5&email=GRACE@example.com', ['Grace']],
    ['updated_after=2001-01-01', ['Ada', 'Grace', 'Alan', 'Zoë']],
    ['updated_after=2001-01-01&tag=vip', ['Ada', 'Grace']],
    ['updated_after=2126-01-01', []],
    ['order=oldest', ['Ada', 'Grace', 'Alan', 'Zoë']],
    ['order=oldest&tag=vip', ['Ada', 'Grace']],
    ['order=changed', ['Zoë', 'Alan', 'Grace', 'Ada']],
  ] as const)('?%s', async ([query, names]) => {
    expect(await find(query)).toEqual(names);
  });

  test.for([
    'search=a',
    'search=shop',
    'updated_after=2001-01-01',
    'tag=vip',
    'field=size:exists',
    'status=active',
    'order=oldest',
    'order=oldest&tag=vip',
    'order=changed',
  ])('page after page, each once: ?%s', async (query) => {
    const all = await find(query);
    for (const limit of [1, 2]) expect(await findAll(query, limit)).toEqual(all);
  });

  test.for([
    ['0151 1234', ['Ada']],
    ['0151 12345678', ['Ada']],
    ['(0151) 123-456', ['Ada']],
    ['٠١٥١ ١٢٣٤', ['Ada']],
    ['15112', ['Ada']],
    ['0049 151', ['Ada']],
    ['+49 (0)151', ['Ada']],
    ['4915112345678', ['Ada']],
    ['+1 202 555', ['Grace']],
    ['00', []],
    ['01', []],
    ['0152', []],
    ['202 555', []],
  ] as const)('by the beginning %j of a phone number, in an account of Germany', async ([text, names]) => {
    await as('PATCH', '/account', { default_country: 'DE' });
    expect(await find(`search=${encodeURIComponent(text)}`)).toEqual(names);
  });

  test('by a national number in no account without a country', async () => {
    await as('PATCH', '/account', { default_country: null });
    expect(await find('search=0151%201234')).toEqual([]);
    expect(await find('search=0049%20151')).toEqual(['Ada']);
  });

  test('once, who has a phone number and an external id with the beginning', async () => {
    const german = await api.createAccount();
    await as('PATCH', '/account', { default_country: 'DE' }, german);
    const person = { first_name: 'Lin', phone: '0151 2345678', external_id: '0151/7' };
    await as('POST', '/contacts', person, german);
    expect(await find('search=0151', german)).toEqual(['Lin']);
  });

  test('that have changed since a time, the last change last', async () => {
    const [ada] = (await as<Page>('GET', '/contacts?search=ada')).body.data;
    const { body } = await as<Contact>('PATCH', `/contacts/${ada?.id}`, { language: 'en' });
    expect((await find('updated_after=2001-01-01')).at(-1)).toBe('Ada');
    // A time has milliseconds, and a change microseconds.
    expect(await find(`updated_after=${body.updated_at}`)).toEqual(['Ada']);
  });

  test('by their ids, a hundred at once, those of others and of nobody left out', async () => {
    const { data } = (await as<Page>('GET', '/contacts')).body;
    const [zoe, alan, grace] = data.map(({ id }) => `id=${id}`);
    const stranger = await api.createAccount();
    const { body: other } = await as<Contact>('POST', '/contacts', {}, stranger);
    const nobody = Array.from({ length: 97 }, () => `id=${showId('contact', newUuid())}`);
    expect(await find([zoe, grace, `id=${other.id}`, ...nobody].join('&'))).toEqual(['Zoë', 'Grace']);
    expect(await find(`${zoe}&${grace}&${zoe}&tag=vip`)).toEqual(['Grace']);
    expect(await find(`${alan}&${grace}&search=a`)).toEqual(['Alan']);
    expect(await findAll(`${zoe}&${alan}&${grace}`, 1)).toEqual(['Zoë', 'Alan', 'Grace']);
    expect(await find(`${grace}`, stranger)).toEqual([]);
  });

  test('of their own account alone', async () => {
    const stranger = await api.createAccount();
    await as('POST', '/custom-fields', { key: 'size', name: 'size', type: 'text' }, stranger);
    await as('POST', '/tags', { name: 'VIP' }, stranger);
    for (const query of [
      'tag=vip',
      'field=size:eq:M',
      'search=ada',
      'updated_after=2001-01-01',
      'status=active',
      'order=oldest',
      'order=changed',
    ])
      expect(await find(query, stranger)).toEqual([]);
    expect(await find('tag=vip')).toEqual(['Grace', 'Ada']);
  });
});

test.for([
  ['id=', 'id.0'],
  ['id=cnv_01jd6z3qf5e8pb2zv0w8c4x1kn', 'id.0'],
  [Array.from({ length: 101 }, () => `id=${showId('contact', newUuid())}`).join('&'), 'id'],
  ['tag=', 'tag.0'],
  [Array.from({ length: 6 }, (_, n) => `tag=${n}`).join('&'), 'tag'],
  [`tag=${'x'.repeat(101)}`, 'tag.0'],
  [Array.from({ length: 6 }, () => 'field=size:eq:M').join('&'), 'field'],
  ['field=size', 'field.0'],
  ['field=size:is:M', 'field.0'],
  [`field=size:eq:${'x'.repeat(600)}`, 'field.0'],
  ['field=nobody:eq:M', 'field.0'],
  ['field=size:gt:M', 'field.0'],
  ['field=orders:eq:many', 'field.0'],
  ['field=orders:gt:1e999', 'field.0'],
  ['field=vip:gt:true', 'field.0'],
  ['field=vip:eq:perhaps', 'field.0'],
  ['field=born:lt:yesterday', 'field.0'],
  ['field=seen:lt:2026-99-99', 'field.0'],
  ['field=likes:eq:engines', 'field.0'],
  ['field=raw:eq:1', 'field.0'],
  ['field=size:exists:perhaps', 'field.0'],
  ['field=size:eq:M&field=orders:eq:x', 'field.1'],
  ['field=size:eq:%00', 'field.0'],
  ['search=', 'search'],
  [`search=${'x'.repeat(256)}`, 'search'],
  ['search=a&search=b', 'search'],
  ['status=asleep', 'status'],
  ['updated_after=yesterday', 'updated_after'],
  ['search=ada&cursor=AZ5Xo0wQcLGcRrVrVrVrVg', 'cursor'],
  ['search=ada&cursor=AZ5Xo0wQcLGcRrVrVrVrVg.AA', 'cursor'],
  ['updated_after=2001-01-01&cursor=AZ5Xo0wQcLGcRrVrVrVrVg.YWRh', 'cursor'],
  ['cursor=AZ5Xo0wQcLGcRrVrVrVrVg.%C3%BF', 'cursor'],
  ['order=name', 'order'],
  ['order=oldest&search=ada', 'order'],
  ['order=changed&updated_after=2001-01-01', 'order'],
  ['order=changed&tag=vip', 'order'],
  ['order=oldest&cursor=AZ5Xo0wQcLGcRrVrVrVrVg', 'cursor'],
  ['order=changed&cursor=AZ5Xo0wQcLGcRrVrVrVrVg', 'cursor'],
] as const)('refuses ?%s with 422', async ([query, path]) => {
  const { status, body } = await as<Page>('GET', `/contacts?${query}`);
  expect([status, body.error?.details.map((problem) => problem.path)]).toEqual([422, [path]]);
});

describe('of many contacts', () => {
  let many: TestAccount;
  beforeAll(async () => {
    many = await api.createAccount();
    await manyContacts(api.db, many.accountId);
  });

  test('each filter is read from its index, however far the page: nothing is read through', async () => {
    const { accountId } = many;
    const before = { id: newUuid(), at: '1790000000000000' };
    const indexesOf = async (filter: ContactFilter): Promise<string[]> => {
      const plan = await api.db`explain ${listContacts(api.db, accountId, { filter, limit: 51, before })}`;
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).not.toMatch(/Seq Scan on contact/);
      return [
        ...new Set(
          Array.from(
            text.matchAll(/(?:using|Bitmap Index Scan on) (contact(?!_tags_pkey)\w+)/g),
            ([, name = '']) => name,
          ),
        ),
      ].toSorted();
    };
    const where = (key: string, operator: 'eq' | 'gt', value: string) =>
      readConditions(api.db, accountId, [{ key, operator, value }]);
    // An account that has nearly all contacts may be read by the primary key.
    const newest = [expect.stringMatching(/^contacts_(account|pkey)$/)];
    expect(await indexesOf({})).toEqual(newest);
    expect(await indexesOf({ status: 'active' })).toEqual(newest);
    expect(await indexesOf({ status: 'blocked' })).toEqual(['contacts_inactive']);
    expect(await indexesOf({ id: [newUuid(), newUuid()] })).toEqual(newest);
    expect(await indexesOf({ email: 'mail-7@example.com' })).toEqual(['contacts_by_email']);
    expect(await indexesOf({ phone: ['+491000007'] })).toEqual(['contacts_by_phone']);
    expect(await indexesOf({ updated_after: new Date(0) })).toEqual(['contacts_by_change']);
    expect(await indexesOf({ tag: ['usual'] })).toContain('contact_tags_tag');
    expect(await indexesOf({ conditions: await where('n', 'eq', '7') })).toEqual(['contacts_by_fields']);
    expect(await indexesOf({ conditions: await where('colour', 'eq', 'blue') })).toEqual(newest);
    expect(await indexesOf({ conditions: await where('n', 'gt', '7') })).toEqual(newest);
    expect(await indexesOf({ search: { text: 'na', phones: ['na'] } })).toEqual([
      'contacts_by_email',
      'contacts_by_external_id',
      'contacts_by_last_name',
      'contacts_by_name',
      'contacts_by_phone',
      'contacts_pkey',
    ]);
  });
});
