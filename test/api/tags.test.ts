import { beforeEach, describe, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { tagLimits } from '../../src/shared/tags/manage.ts';
import { insertTag } from '../../src/shared/tags/queries.ts';
import { contactsCap, contactsCapOfLists } from '../../src/shared/tags/schema.ts';
import { aContact } from '../helpers/builders.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { deliveriesOf } from '../helpers/items.ts';
import { tagManyContacts } from '../helpers/states/conversations.ts';

type Tag = { id: string; name: string; created_at: string };
type Contact = { id: string; tags: string[] };
type Refused = { error: { code: string; details?: { path: string; message: string }[] } };

const api = await useApi();
let account: TestAccount;
let contact: Contact;
beforeEach(async () => {
  account = await api.createAccount();
  contact = (await as<Contact>('POST', '/v1/contacts', aContact())).body;
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const tag = (name: string, on = contact) => as<Tag>('PUT', `/v1/contacts/${on.id}/tags/${encodeURIComponent(name)}`);

const rename = ({ id }: Tag, name: string, key?: string) => as<Tag & Refused>('PATCH', `/v1/tags/${id}`, { name }, key);

const aRule = (rule: object) => ({ id: 'one', type: 'condition', rules: [rule], next: { false: null } });

const tagsOf = async ({ id } = contact) => (await as<Contact>('GET', `/v1/contacts/${id}`)).body.tags;

const applied = () => api.db<{ data: unknown; contactId: string }[]>`
  select data, contact_id from events where account_id = ${account.accountId} and name = 'tag_applied' order by id`;

describe('a tag of a contact', () => {
  test('is put on once, however often it is asked for and in whatever letters: one event, in the first spelling', async () => {
    const webhookId = await insertWebhook(api.deps, {
      ...account,
      url: 'https://example.com/',
      events: ['tag_applied'],
    });
    const before = api.dispatched.length;
    const first = await tag('Größe XL / new');
    const again = await tag('  GRÖSSE xl / NEW'.replace('SS', 'ß'));
    expect(first).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^tag_/), name: 'Größe XL / new' } });
    expect(again.body).toEqual(first.body);
    expect(await tagsOf()).toEqual(['Größe XL / new']);
    expect(await applied()).toEqual([
      { data: { tag: { name: 'Größe XL / new' } }, contactId: readId('contact', contact.id) },
    ]);
    expect(deliveriesOf(api.dispatched.slice(before)).map((row) => row.webhookId)).toEqual([webhookId]);
  });

  test('asked for many times at once is one tag and one event', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => tag('vip')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await applied()).toHaveLength(1);
  });

  test('new to the account, and put on many contacts at once, is one tag', async () => {
    const contacts = await Promise.all(
      Array.from({ length: 8 }, async () => (await as<Contact>('POST', '/v1/contacts', aContact())).body),
    );
    const answers = await Promise.all(contacts.map((on, index) => tag(index % 2 === 0 ? 'vip' : 'VIP', on)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await applied()).toHaveLength(8);
  });

  test('is taken off in any letters, and again without a complaint; put on again it is applied again', async () => {
    await tag('vip');
    for (const name of ['VIP', 'vip']) {
      expect((await as('DELETE', `/v1/contacts/${contact.id}/tags/${name}`)).status).toBe(204);
      expect(await tagsOf()).toEqual([]);
    }
    await tag('Vip');
    expect(await tagsOf()).toEqual(['vip']);
    expect(await applied()).toHaveLength(2);
  });

  test('beyond the hundredth is refused with 409, and changes and reports nothing', async () => {
    for (let count = 0; count < tagLimits.ofContact; count += 1) await tag(`t-${count}`);
    const answer = await as<Refused>('PUT', `/v1/contacts/${contact.id}/tags/more`);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect((await tag('T-0')).status).toBe(200);
    expect(await tagsOf()).toHaveLength(tagLimits.ofContact);
    expect(await applied()).toHaveLength(tagLimits.ofContact);
    expect((await as<{ data: Tag[] }>('GET', '/v1/tags?limit=200')).body.data).toHaveLength(tagLimits.ofContact);
  });

  test.for([
    ['an empty name', '%20', 422],
    ['a name of 101 characters', 'x'.repeat(101), 422],
    ['a line break', 'a%0Ab', 422],
    ['NUL', 'a%00b', 422],
    ['a percent sign that encodes nothing', 'a%zz', 404],
    ['bytes that are no UTF-8', 'a%ff', 404],
  ] as const)('with %s is refused', async ([, name, status]) => {
    expect((await as('PUT', `/v1/contacts/${contact.id}/tags/${name}`)).status).toBe(status);
    expect(await tagsOf()).toEqual([]);
  });

  test("of another account's contact, or of none, is 404, and makes no tag", async () => {
    const stranger = await api.createAccount();
    for (const method of ['PUT', 'DELETE']) {
      expect((await as(method, `/v1/contacts/${contact.id}/tags/vip`, undefined, stranger.apiKey)).status).toBe(404);
      expect((await as(method, `/v1/contacts/${showId('contact', newUuid())}/tags/vip`)).status).toBe(404);
    }
    expect((await as<{ data: Tag[] }>('GET', '/v1/tags', undefined, stranger.apiKey)).body.data).toEqual([]);
  });
});

describe('the name of a tag', () => {
  test.for([
    ['é in one letter or two', 'caf\u00e9', 'cafe\u0301'],
    ['a sigma at the end of a word', 'ΟΔΟΣ', 'οδοσ'],
    ['an İ', 'İstanbul', 'istanbul'],
    ['no-break blanks around it', 'vip', '\u00a0VIP\u00a0'],
  ] as const)('is the same for contacts and flows: %s', async ([, first, second]) => {
    const { body } = await tag(first);
    expect((await tag(second)).body.id).toBe(body.id);
    expect(await applied()).toHaveLength(1);
    const { create } = flowCalls(api, account);
    const blocks = [{ id: 'one', type: 'add_tag', tag: second }];
    await create(aFlowDefinition({ start: 'one', blocks }));
    expect((await as('DELETE', `/v1/tags/${body.id}`)).status).toBe(409);
  });

  test.for([['', ' '], ['a\nb'], ['a\u0000b'], ['a\u2028b'], ['x'.repeat(101)]])(
    'of no letter, of two lines, or of more than 100 characters is 422: %j',
    async (names) => {
      for (const name of names) expect((await as('POST', '/v1/tags', { name })).status).toBe(422);
      expect((await tag('x'.repeat(100))).status).toBe(200);
    },
  );
});

describe('the tags of an account', () => {
  test('are made, read and listed, newest first, with how many contacts have each', async () => {
    const { body: first, status } = await as<Tag>('POST', '/v1/tags', { name: ' vip ' });
    expect(status).toBe(201);
    expect(first).toEqual({ id: expect.stringMatching(/^tag_/), name: 'vip', created_at: expect.any(String) });
    const { body: second } = await tag('new');
    expect((await as('GET', `/v1/tags/${first.id}`)).body).toEqual({ ...first, contacts: 0 });
    expect((await as('GET', '/v1/tags')).body).toEqual({
      data: [
        { ...second, contacts: 1 },
        { ...first, contacts: 0 },
      ],
      next_cursor: null,
    });
  });

  test('are searched by a part of their name in any letter case, with marks of patterns as they stand', async () => {
    for (const name of ['VIP gold', 'vip_silver', 'Größe', '100% off', 'other']) await as('POST', '/v1/tags', { name });
    const found = async (search: string) =>
      (await as<{ data: Tag[] }>('GET', `/v1/tags?search=${encodeURIComponent(search)}`)).body.data.map(
        ({ name }) => name,
      );
    expect(await found('Vip')).toEqual(['vip_silver', 'VIP gold']);
    expect(await found('GRÖ')).toEqual(['Größe']);
    expect(await found('%')).toEqual(['100% off']);
    expect(await found('_')).toEqual(['vip_silver']);
    expect(await found('nothing')).toEqual([]);
    const first = await as<{ data: Tag[]; next_cursor: string }>('GET', '/v1/tags?search=vip&limit=1');
    const next = await as<{ data: Tag[] }>('GET', `/v1/tags?search=vip&limit=1&cursor=${first.body.next_cursor}`);
    expect([first, next].map(({ body }) => body.data.map(({ name }) => name))).toEqual([['vip_silver'], ['VIP gold']]);
    for (const search of ['', 'x'.repeat(101)]) expect((await as('GET', `/v1/tags?search=${search}`)).status).toBe(422);
  });

  test('are counted up to 10,001 contacts, in a list up to 1,001', async () => {
    const { body } = await tag('vip');
    await tagManyContacts(api.db, readId('tag', body.id), contactsCap + 5);
    expect((await as('GET', `/v1/tags/${body.id}`)).body).toMatchObject({ contacts: contactsCap });
    expect((await as<{ data: unknown[] }>('GET', '/v1/tags')).body.data).toMatchObject([
      { contacts: contactsCapOfLists },
    ]);
  });

  test('are counted among the lists of their account, and renamed and deleted while those are all it may read', async () => {
    const { body } = await tag('vip');
    const ending = Promise.withResolvers<void>();
    const lists = Array.from({ length: 50 }, () => api.deps.reads(account.accountId, () => ending.promise));
    for (const list of lists) list.catch(() => {});
    expect((await as('GET', `/v1/tags/${body.id}`)).status).toBe(429);
    expect((await rename(body, 'gold')).status).toBe(200);
    expect((await as('DELETE', `/v1/tags/${body.id}`)).status).toBe(204);
    ending.resolve();
  });

  test('are renamed: contacts keep them, and no event is sent', async () => {
    const { body } = await tag('vip');
    const before = await applied();
    const renamed = await rename(body, ' Gold ');
    expect(renamed).toMatchObject({ status: 200, body: { ...body, name: 'Gold', contacts: 1 } });
    expect(await tagsOf()).toEqual(['Gold']);
    expect(await applied()).toEqual(before);
    expect((await tag('vip')).body.id).not.toBe(body.id);
  });

  test('get no name that another one has: 409, also of two who ask for it at once', async () => {
    const [{ body: vip }, { body: gold }] = [await tag('vip'), await tag('gold')];
    expect(await rename(vip, 'GOLD')).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    const both = await Promise.all([rename(vip, 'new'), rename(gold, 'New')]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await rename(vip, '')).status).toBe(422);
  });

  test.for([
    ['a block', { blocks: [{ id: 'one', type: 'remove_tag', tag: 'vip' }] }],
    ['a trigger', { blocks: [{ id: 'one', type: 'end' }], triggers: [{ type: 'tag_applied', tag: 'Vip' }] }],
    ['has_tag', { blocks: [aRule({ field: 'tags', op: 'has_tag', value: 'VIP' })] }],
    ['a rule of its tags', { blocks: [aRule({ field: 'tags', op: 'contains', value: 'vip' })] }],
    ['a rule of an event', { blocks: [aRule({ field: 'event.tag.name', op: 'is', value: 'vip' })] }],
  ] as const)(
    'are not renamed while %s of a flow names them: 409 that says which; other letters are',
    async ([, definition]) => {
      const { body } = await tag('VIP');
      const { create } = flowCalls(api, account);
      const { id } = await create(aFlowDefinition({ start: 'one', ...definition }));
      const refused = await rename(body, 'gold');
      expect(refused).toMatchObject({ status: 409, body: { error: { details: [{ path: id }] } } });
      expect(await tagsOf()).toEqual(['VIP']);
      expect(await rename(body, 'ViP')).toMatchObject({ status: 200, body: { name: 'ViP' } });
    },
  );

  test('have each name once: a second one in other letters is 409', async () => {
    await as('POST', '/v1/tags', { name: 'vip' });
    expect((await as<Refused>('POST', '/v1/tags', { name: 'VIP' })).body.error.code).toBe('conflict');
  });

  test('are not called "." or "..", which no path could name: 422, and nothing is made or renamed', async () => {
    const { body } = await as<Tag>('POST', '/v1/tags', { name: '...' });
    for (const name of ['.', '..', ' .. ']) {
      const refused = await as<Refused>('POST', '/v1/tags', { name });
      expect(refused).toMatchObject({ status: 422, body: { error: { details: [{ path: 'name' }] } } });
      expect((await rename(body, name)).status).toBe(422);
    }
    const { data } = (await as<{ data: Tag[] }>('GET', '/v1/tags')).body;
    expect(data.map(({ name }) => name)).toEqual(['...']);
  });

  test('are deleted together with their place on contacts', async () => {
    const { body } = await tag('vip');
    expect((await as('DELETE', `/v1/tags/${body.id}`)).status).toBe(204);
    expect((await as('DELETE', `/v1/tags/${body.id}`)).status).toBe(404);
    expect(await tagsOf()).toEqual([]);
  });

  test('are not deleted while a flow uses them, in whatever letters: 409 that says which flow and where', async () => {
    const { body } = await tag('VIP');
    const { create } = flowCalls(api, account);
    const blocks = [{ id: 'add', type: 'add_tag', tag: 'vip' }];
    const { id } = await create(aFlowDefinition({ start: 'add', blocks }));
    const refused = await as<Refused>('DELETE', `/v1/tags/${body.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.error.details).toEqual([{ path: id, message: expect.stringContaining('its draft') }]);
    expect(await tagsOf()).toEqual(['VIP']);
  });

  test('are at most a thousand: one more is 409, by whichever way', async () => {
    const { accountId } = account;
    for (let count = 0; count < tagLimits.ofAccount; count += 1) await insertTag(api.db, accountId, `t-${count}`);
    expect((await as('POST', '/v1/tags', { name: 'more' })).status).toBe(409);
    expect((await tag('more')).status).toBe(409);
    expect((await tag('t-7')).status).toBe(200);
    expect(await tagsOf()).toEqual(['t-7']);
  });

  test("are nobody else's: another account reads, renames and deletes none", async () => {
    const { body } = await tag('vip');
    const stranger = await api.createAccount();
    for (const method of ['GET', 'DELETE'])
      expect((await as(method, `/v1/tags/${body.id}`, undefined, stranger.apiKey)).status).toBe(404);
    expect((await rename(body, 'gold', stranger.apiKey)).status).toBe(404);
    expect(await tagsOf()).toEqual(['vip']);
  });
});
