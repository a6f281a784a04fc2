import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { cannedReplyNoun, cannedReplyLimits } from '../../src/shared/canned-replies/schema.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact } from '../helpers/builders.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { haveManyCannedReplies } from '../helpers/states/conversations.ts';

type Canned = { id: string; shortcut: string; text: string };
type Refused = { error: { code: string; details?: { path: string; message: string }[]; conflict_with?: object } };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body = Canned>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body & Refused>(method, `/v1${path}`, { key, ...(body !== undefined && { body }) });
const create = (shortcut: string, text = 'Thank you!') => as('POST', '/canned-replies', { shortcut, text });
const list = async (query = '') =>
  (await as<{ data: Canned[] }>('GET', `/canned-replies?${query}`)).body.data.map(({ shortcut }) => shortcut);
const render = (id: string, contactId: string) =>
  as<{ text: string }>('POST', `/canned-replies/${id}/render`, { contact_id: contactId });

describe('a canned reply', () => {
  test('is created, read, listed, searched, changed and deleted', async () => {
    const { status, body } = await create('Thanks', 'Danke schön');
    expect({ status, body }).toMatchObject({ status: 201, body: { shortcut: 'Thanks', text: 'Danke schön' } });
    await create('bye', 'See you');
    expect(await list()).toEqual(['bye', 'Thanks']);
    expect([await list('search=THANK'), await list('search=see+you'), await list('search=nothing')]).toEqual([
      ['Thanks'],
      ['bye'],
      [],
    ]);
    const changed = await as('PATCH', `/canned-replies/${body.id}`, { text: 'Danke!' });
    expect(changed).toMatchObject({ status: 200, body: { shortcut: 'Thanks', text: 'Danke!' } });
    expect((await as('GET', `/canned-replies/${body.id}`)).body).toEqual(changed.body);
    expect(await as('DELETE', `/canned-replies/${body.id}`)).toMatchObject({ status: 204 });
    expect(await as('DELETE', `/canned-replies/${body.id}`)).toMatchObject({ status: 404 });
    expect(await list()).toEqual(['bye']);
  });

  test('has a shortcut of its own in any letter case, also when two are created at once', async () => {
    const { body } = await create('Thanks');
    const taken = { status: 409, body: { error: { conflict_with: { id: body.id, key: 'shortcut' } } } };
    expect(await create('thanks')).toMatchObject(taken);
    const { body: bye } = await create('bye');
    expect(await as('PATCH', `/canned-replies/${bye.id}`, { shortcut: 'THANKS' })).toMatchObject(taken);
    expect(await as('PATCH', `/canned-replies/${body.id}`, { shortcut: 'THANKS' })).toMatchObject({ status: 200 });
    const both = await Promise.all([create('new'), create('NEW')]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    for (const shortcut of ['', 'two words', 'a/b', 'x'.repeat(41)])
      expect({ shortcut, ...(await create(shortcut)) }).toMatchObject({ shortcut, status: 422 });
  });

  test('takes placeholders of contact, account and time alone, and refuses others with their places', async () => {
    await as('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
    const good = '{{first_name|default:"you"}} {{contact.email}} {{size}} {{account.name}} {{now.date}}';
    expect(await create('good', good)).toMatchObject({ status: 201 });
    for (const name of ['nothing', 'run.id', 'flow.name', 'params.x', 'event.order.id', 'reply.text']) {
      const { status, body } = await create('bad', `Hi {{${name}}}`);
      expect({ status, details: body.error.details }).toMatchObject({
        status: 422,
        details: [{ path: 'text', message: `has {{${name}}} at character 4: there is nothing of this name` }],
      });
    }
    const broken = await create('bad', 'Hi {{first_name');
    expect(broken).toMatchObject({ status: 422, body: { error: { details: [{ path: 'text' }] } } });
    expect(await create('bad', 'x'.repeat(10_001))).toMatchObject({ status: 422 });
  });

  test('is filled in with the values of a contact, which fill in nothing themselves', async () => {
    await as('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text', default: 'M' });
    const { body: ada } = await as(
      'POST',
      '/contacts',
      aContact({ first_name: '<b>{{email}}</b>', custom_fields: {} }),
    );
    const { body: nobody } = await as('POST', '/contacts', {});
    const { body } = await create('hi', 'Hi {{first_name|default:"you"}}, {{size}}, {{email}}!');
    expect(await render(body.id, ada.id)).toMatchObject({
      status: 200,
      body: { text: 'Hi <b>{{email}}</b>, M, ada@example.com!' },
    });
    expect(await render(body.id, nobody.id)).toMatchObject({ status: 200, body: { text: 'Hi you, M, !' } });
  });

  test('and its contact are those of the account: others are 404', async () => {
    const { body } = await create('hi');
    const { body: contact } = await as('POST', '/contacts', {});
    const stranger = await api.createAccount();
    const path = `/canned-replies/${body.id}`;
    const theirs = await as('POST', '/contacts', {}, stranger.apiKey);
    expect(await render(body.id, theirs.body.id)).toMatchObject({ status: 404 });
    for (const [method, below, sent] of [
      ['GET', ''],
      ['PATCH', '', { text: 'x' }],
      ['DELETE', ''],
      ['POST', '/render', { contact_id: contact.id }],
    ] as const)
      expect(await as(method, `${path}${below}`, sent, stranger.apiKey)).toMatchObject({ status: 404 });
    expect(await render(showId(cannedReplyNoun, newUuid()), contact.id)).toMatchObject({ status: 404 });
  });

  test('is read and filled in by agents, and written by editors alone', async () => {
    const { body } = await create('hi');
    const { body: contact } = await as('POST', '/contacts', {});
    const session = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
    const asAgent = (method: string, path: string, sent?: unknown) =>
      api.request(method, `/dashboard/api/canned-replies${path}`, {
        session,
        ...(sent !== undefined && { body: sent }),
      });
    expect(await asAgent('GET', '')).toMatchObject({ status: 200 });
    expect(await asAgent('POST', `/${body.id}/render`, { contact_id: contact.id })).toMatchObject({ status: 200 });
    expect(await asAgent('POST', '', { shortcut: 'x', text: 'x' })).toMatchObject({ status: 403 });
    expect(await asAgent('PATCH', `/${body.id}`, { text: 'x' })).toMatchObject({ status: 403 });
    expect(await asAgent('DELETE', `/${body.id}`)).toMatchObject({ status: 403 });
  });

  test('is one of 1,000 of an account at most', async () => {
    await haveManyCannedReplies(api.db, account.accountId, cannedReplyLimits.ofAccount - 1);
    expect(await create('last')).toMatchObject({ status: 201 });
    expect(await create('beyond')).toMatchObject({ status: 409 });
  });
});
