import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readId, showId } from '../../../src/shared/ids.ts';
import { mediaNoun } from '../../../src/shared/media/schema.ts';
import { startApi, type TestAccount } from '../../helpers/api.ts';
import { startDeliveryWorld } from '../../helpers/delivery-world.ts';
import { aPicture } from '../../helpers/files.ts';
import { aFlow, type FlowBlocks } from '../../helpers/live-flows.ts';
import { aVisitor, aWebchat } from '../../helpers/webchat/visitor.ts';

const world = await startDeliveryWorld({ passes: () => true });
const api = await startApi({ world });
afterAll(async () => {
  await api.stop();
  await world.stop();
});

let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
  await aField(account, 'photo');
});

const aField = ({ apiKey: key }: TestAccount, name: string, type = 'text') =>
  api.request('POST', '/v1/custom-fields', { key, body: { key: name, name, type } });

const upload = async ({ apiKey: key }: TestAccount, name = 'shoe.png'): Promise<string> => {
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await api.request<{ id: string }>('POST', `/v1/media?name=${name}`, {
    key,
    headers,
    body: await aPicture(),
  });
  return answer.body.id;
};

type Simulated = {
  status: string;
  reason: string | null;
  messages: { text: string }[];
  requests: { url: string }[];
};

/** What a flow of these blocks says to a contact with these fields. */
const simulate = async (custom_fields: object, blocks: FlowBlocks, more: object = {}): Promise<Simulated> => {
  const flow = showId('flow', await aFlow(api.db, account.accountId, { blocks }));
  const body = { contact: { custom_fields }, ...more };
  const answer = await api.request<Simulated>('POST', `/v1/flows/${flow}/simulate`, { key: account.apiKey, body });
  return answer.status === 200 ? answer.body : expect.fail(answer.text);
};

const says = (text: string, more: object = {}) => [{ id: 'say', type: 'send', messages: [{ text, ...more }] }];

const saidOf = async (photo: unknown, text: string): Promise<string | undefined> =>
  (await simulate({ photo }, says(text))).messages[0]?.text;

describe('a field with the id of a file', () => {
  test('has its name, type, content type and size in templates, and stays the id by itself', async () => {
    const photo = await upload(account);
    const said = await saidOf(photo, '{{photo}} {{photo.name}} {{photo.type}} {{photo.content_type}} {{photo.size}}');
    expect(said).toBe(`${photo} shoe.png image image/png ${(await aPicture()).length}`);
  });

  test('has a link that opens this file alone, as it was signed', async () => {
    const [photo, other] = [await upload(account), await upload(account, 'other.png')];
    const link = new URL((await saidOf(photo, '{{photo.url}}')) ?? '');
    const ask = async (url: string) => (await api.request('GET', url)).status;
    const { pathname, search, searchParams } = link;
    expect(await ask(pathname + search)).toBe(200);
    expect(await ask(pathname.replace(photo, other) + search)).toBe(403);
    const later = String(Number(searchParams.get('expires')) + 900);
    expect(await ask(`${pathname}?expires=${later}&signature=${searchParams.get('signature')}`)).toBe(403);
    expect(await ask(`${pathname}?expires=${searchParams.get('expires')}&signature=`)).toBe(403);
    expect(await ask(pathname)).toBe(403);
  });

  test("has no link, name or size where the file is another account's, or was never there", async () => {
    const theirs = await upload(await api.createAccount());
    const text = 'a{{photo.url}}{{photo.name}}{{photo.size}}';
    expect(await saidOf(theirs, text)).toBe('a');
    expect(await saidOf('med_01jd6z3qf5e8pb2zv0w8c4x1kn', text)).toBe('a');
    expect(await saidOf('shoe.png', text)).toBe('a');
  });

  test("fails the block whose picture is another account's file", async () => {
    const theirs = await upload(await api.createAccount());
    const result = await simulate({ photo: theirs }, says('Look', { image_url: '{{photo.url}}' }));
    expect(result).toMatchObject({ status: 'failed', reason: 'invalid_image_url', messages: [] });
  });
});

test('the items of a list that are ids of files have links, too', async () => {
  await aField(account, 'photos', 'list');
  const photos = [await upload(account, 'a.png'), await upload(account, 'b.png')];
  const blocks = [
    {
      id: 'store',
      type: 'external_request',
      method: 'GET',
      url: 'https://shop.example/?photo={{item.url}}&name={{item.name}}',
      for_each: { items: '{{photos}}' },
    },
  ];
  const mocks = { store: { status: 200 } };
  const { requests } = await simulate({ photos }, blocks, { mocks });
  const asked = requests.map(({ url }) => new URL(url).searchParams);
  expect(asked.map((query) => query.get('name'))).toEqual(['a.png', 'b.png']);
  expect(asked.map((query) => new URL(query.get('photo') ?? '').pathname.split('/').at(-1))).toEqual([
    'a.png',
    'b.png',
  ]);
});

test('a file that a flow sends as a picture stays with its message, which outlives the link', async () => {
  const photo = await upload(account);
  const visitor = aVisitor(api, await aWebchat(api, account));
  await visitor.say('hello');
  const { apiKey: key } = account;
  const { body: page } = await api.request<{ data: { id: string }[] }>('GET', '/v1/contacts', { key });
  await api.request('PATCH', `/v1/contacts/${page.data[0]?.id}`, { key, body: { custom_fields: { photo } } });
  const blocks = says('Look', { image_url: '{{photo.url}}' });
  await aFlow(api.db, account.accountId, { triggers: [{ type: 'keyword', words: ['show'] }], blocks });
  await visitor.say('show');
  const { messages } = await visitor.read();
  expect(messages.at(-1)).toMatchObject({ text: 'Look', image_url: null, attachments: [{ id: photo, type: 'image' }] });
  const [file] = await api.db`select used_at from media where id = ${readId(mediaNoun, photo)}`;
  expect(file).toEqual({ usedAt: expect.any(Date) });
});

test('a canned reply has the link of a file that the contact has sent', async () => {
  const photo = await upload(account);
  const { apiKey: key } = account;
  const { body: reply } = await api.request<{ id: string }>('POST', '/v1/canned-replies', {
    key,
    body: { shortcut: 'photo', text: 'Yours: {{photo.url}}' },
  });
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', {
    key,
    body: { custom_fields: { photo } },
  });
  const rendered = await api.request<{ text: string }>('POST', `/v1/canned-replies/${reply.id}/render`, {
    key,
    body: { contact_id: contact.id },
  });
  expect(rendered.body.text).toContain(`/media/${photo}/shoe.png?expires=`);
});

test('a simulation refuses a file that the account does not have', async () => {
  const theirs = await upload(await api.createAccount());
  const flow = showId('flow', await aFlow(api.db, account.accountId, { blocks: says('hello') }));
  const body = { inputs: [{ attachments: [{ media_id: theirs }] }] };
  const answer = await api.request('POST', `/v1/flows/${flow}/simulate`, { key: account.apiKey, body });
  expect(answer).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'inputs.0.attachments.0.media_id' }] } },
  });
});
