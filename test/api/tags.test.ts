import { beforeEach, describe, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { tagLimits } from '../../src/shared/tags/manage.ts';
import { insertTag } from '../../src/shared/tags/queries.ts';
import { aContact } from '../helpers/builders.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { deliveriesOf } from '../helpers/items.ts';

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

describe('the tags of an account', () => {
  test('are made, read and listed, newest first', async () => {
    const { body: first, status } = await as<Tag>('POST', '/v1/tags', { name: ' vip ' });
    expect(status).toBe(201);
    expect(first).toEqual({ id: expect.stringMatching(/^tag_/), name: 'vip', created_at: expect.any(String) });
    const { body: second } = await tag('new');
    expect((await as('GET', `/v1/tags/${first.id}`)).body).toEqual(first);
    expect((await as('GET', '/v1/tags')).body).toEqual({ data: [second, first], next_cursor: null });
  });

  test('have each name once: a second one in other letters is 409', async () => {
    await as('POST', '/v1/tags', { name: 'vip' });
    expect((await as<Refused>('POST', '/v1/tags', { name: 'VIP' })).body.error.code).toBe('conflict');
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

  test("are nobody else's: another account reads and deletes none", async () => {
    const { body } = await tag('vip');
    const stranger = await api.createAccount();
    for (const method of ['GET', 'DELETE'])
      expect((await as(method, `/v1/tags/${body.id}`, undefined, stranger.apiKey)).status).toBe(404);
    expect(await tagsOf()).toEqual(['vip']);
  });
});
