import { beforeEach, describe, expect, test } from 'vitest';
import { createChannel } from '../../src/shared/messages/channels/manage.ts';
import { readId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { holdLock } from '../helpers/locks.ts';
import { haveManyChannels } from '../helpers/states/conversations.ts';
import { untold } from '../helpers/untold.ts';

type Channel = {
  id: string;
  type: string;
  name: string;
  callback_url: string | null;
  created_at: string;
  secret?: string;
};
type Refused = { error: { code: string; details: { path: string; message: string }[] } };

const api = await useApi({ egressAllow: '127.0.0.0/8' });
let account: TestAccount;
let channel: Channel;
beforeEach(async () => {
  account = await api.createAccount();
  channel = await aChannel();
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const aChannel = async (): Promise<Channel> =>
  (await as<Channel>('POST', '/v1/channels', { type: 'api', name: 'Shop' })).body;

test('a channel is created, read and listed, newest first', async () => {
  const second = await aChannel();
  expect(second).toEqual({
    id: expect.stringMatching(/^chn_/),
    type: 'api',
    name: 'Shop',
    callback_url: null,
    created_at: expect.any(String),
  });
  expect((await as('GET', `/v1/channels/${second.id}`)).body).toEqual(second);
  expect((await as('GET', '/v1/channels')).body).toEqual({ data: [second, channel], next_cursor: null });
});

test('an account has at most two hundred, also where the last one is being created: 409', async () => {
  const { accountId } = account;
  await haveManyChannels(api.db, accountId, 198);
  const another = { type: 'api', name: 'One more' } as const;
  const last = await holdLock(api.db, (sql) => createChannel(untold(sql), accountId, another));
  const refused = as<Refused>('POST', '/v1/channels', another);
  await last.hasStopped('pg_advisory_xact_lock');
  await last.letThrough();
  expect(await refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect((await api.db`select from channels where account_id = ${accountId}`).count).toBe(200);
});

test('another type or no name is 422', async () => {
  expect((await as('POST', '/v1/channels', { type: 'fax', name: 'Shop' })).status).toBe(422);
  expect((await as('POST', '/v1/channels', { type: 'api', name: '' })).status).toBe(422);
});

describe('a channel that is deleted', () => {
  const remove = (key = account.apiKey) => as('DELETE', `/v1/channels/${channel.id}`, undefined, key);

  test('is found, changed, listed and written to no more: 404', async () => {
    const message = anInboundMessage();
    const inbound = `/v1/channels/${channel.id}/inbound`;
    expect((await as('POST', inbound, message)).status).toBe(202);
    expect((await remove()).status).toBe(204);
    for (const [method, path, body] of [
      ['GET', `/v1/channels/${channel.id}`, undefined],
      ['PATCH', `/v1/channels/${channel.id}`, { name: 'Other' }],
      ['DELETE', `/v1/channels/${channel.id}`, undefined],
      ['POST', inbound, message],
      ['POST', inbound, { ...message, message_id: 'another' }],
    ] as const)
      expect((await as(method, path, body)).status).toBe(404);
    expect((await as<{ data: [] }>('GET', '/v1/channels')).body.data).toEqual([]);
  });

  test('keeps its contacts and conversations, and gets no message: 409 for the last channel, 404 by its name', async () => {
    const path = `/v1/channels/${channel.id}/inbound`;
    const { body } = await as<{ contact_id: string }>('POST', path, anInboundMessage());
    await remove();
    const list = await as<{ data: { channel_id: string }[] }>('GET', `/v1/conversations?contact_id=${body.contact_id}`);
    expect(list.body.data).toMatchObject([{ channel_id: channel.id }]);
    const messages = `/v1/contacts/${body.contact_id}/messages`;
    expect((await as('POST', messages, { text: 'hello' })).status).toBe(409);
    expect((await as('POST', messages, { text: 'hello', channel_id: channel.id })).status).toBe(404);
    const { id } = await aChannel();
    expect((await as('POST', messages, { text: 'hello', channel_id: id })).status).toBe(201);
  });

  test('without conversations leaves no row, and its place to another', async () => {
    await remove();
    expect((await api.db`select from channels where account_id = ${account.accountId}`).count).toBe(0);
  });

  test("is the account's own: another account is answered 404", async () => {
    expect((await remove((await api.createAccount()).apiKey)).status).toBe(404);
    expect((await as('GET', `/v1/channels/${channel.id}`)).status).toBe(200);
  });
});

test("another account's channel is 404, and takes no message", async () => {
  const stranger = await api.createAccount();
  const asStranger = <Body>(method: string, path: string, body?: unknown) =>
    as<Body>(method, path, body, stranger.apiKey);
  expect((await asStranger('GET', `/v1/channels/${channel.id}`)).status).toBe(404);
  const answer = await asStranger('POST', `/v1/channels/${channel.id}/inbound`, anInboundMessage());
  expect(answer.status).toBe(404);
  expect((await asStranger<{ data: [] }>('GET', '/v1/channels')).body.data).toEqual([]);
  expect((await api.db`select 1 from messages where channel_id = ${readId('channel', channel.id)}`).count).toBe(0);
});

describe('where a channel sends to', () => {
  const callback_url = 'https://127.0.0.1/to-visitors';

  const sealedOf = async ({ id }: Channel) => {
    const [row] = await api.db<{ secret: Buffer | null; previousSecret: Buffer | null }[]>`
      select secret, previous_secret from channels where id = ${readId('channel', id)}`;
    return row;
  };

  /** The secret as it is stored: sealed, and bound to account and channel. */
  const secretOf = async (of: Channel) => {
    const sealed = (await sealedOf(of))?.secret;
    const rowId = readId('channel', of.id);
    return sealed && api.deps.secrets.open(sealed, { accountId: account.accountId, rowId });
  };

  test('is given at creation: the secret that is made for it is in that answer only, and stored sealed', async () => {
    const asked = { type: 'api', name: 'Shop', callback_url };
    const { status, body } = await as<Channel>('POST', '/v1/channels', asked);
    expect(status).toBe(201);
    expect(body).toMatchObject({ callback_url, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) });
    const { secret, ...rest } = body;
    expect((await as('GET', `/v1/channels/${body.id}`)).body).toEqual(rest);
    expect((await as<{ data: Channel[] }>('GET', '/v1/channels')).body.data[0]).toEqual(rest);
    expect(await secretOf(body)).toBe(secret);
    expect((await sealedOf(body))?.secret?.includes(secret ?? '')).toBe(false);
  });

  test('with a secret that the caller chose, no answer shows one', async () => {
    const { body } = await as<Channel>('POST', '/v1/channels', {
      type: 'api',
      name: 'Shop',
      callback_url,
      secret: 'the secret of the caller',
    });
    expect(body).not.toHaveProperty('secret');
    expect(await secretOf(body)).toBe('the secret of the caller');
  });

  test('is given later, which makes a secret; taken away and given again, the secret stays', async () => {
    const change = (changes: object) => as<Channel>('PATCH', `/v1/channels/${channel.id}`, changes);
    const { status, body } = await change({ callback_url });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Shop', callback_url, secret: expect.stringMatching(/^whsec_/) });
    expect((await change({ callback_url: null, name: 'Old shop' })).body).toEqual({
      ...channel,
      name: 'Old shop',
      callback_url: null,
    });
    expect((await change({ callback_url })).body).not.toHaveProperty('secret');
    expect(await secretOf(channel)).toBe(body.secret);
  });

  test('gets another secret, by rotation or by the caller: the replaced one is kept beside it, sealed', async () => {
    const { body: first } = await as<Channel>('PATCH', `/v1/channels/${channel.id}`, { callback_url });
    const { status, body: rotated } = await as<{ secret: string }>('POST', `/v1/channels/${channel.id}/rotate-secret`);
    expect(status).toBe(200);
    expect(rotated.secret).not.toBe(first.secret);
    expect(await secretOf(channel)).toBe(rotated.secret);
    const before = await sealedOf(channel);
    expect(before?.previousSecret).not.toBeNull();
    const { body } = await as<Channel>('PATCH', `/v1/channels/${channel.id}`, { secret: 'of the caller' });
    expect(body).not.toHaveProperty('secret');
    expect(await secretOf(channel)).toBe('of the caller');
    expect((await sealedOf(channel))?.previousSecret).not.toEqual(before?.previousSecret);
  });

  test.for([
    ['plain http', 'http://127.0.0.1/', /^must start with https:/],
    ['a private address', 'https://10.1.2.3/', /not public|private|refused/],
    ['credentials', 'https://me:secret@127.0.0.1/', /user|password|credentials/],
    ['a fragment', 'https://127.0.0.1/#there', /fragment/],
    ['no url', 'to-visitors', /url|https/],
  ] as const)('is refused with 422 for %s, and nothing is written', async ([, url, message]) => {
    for (const [method, path] of [
      ['POST', '/v1/channels'],
      ['PATCH', `/v1/channels/${channel.id}`],
    ] as const) {
      const body = { ...(method === 'POST' && { type: 'api', name: 'Shop' }), callback_url: url };
      const answer = await as<Refused>(method, path, body);
      expect(answer.status).toBe(422);
      expect(answer.body.error.details).toMatchObject([
        { path: 'callback_url', message: expect.stringMatching(message) },
      ]);
    }
    expect((await as<{ data: Channel[] }>('GET', '/v1/channels')).body.data).toEqual([channel]);
  });

  test("of another account's channel is not changed: 404", async () => {
    const stranger = await api.createAccount();
    for (const url of [callback_url, 'https://10.1.2.3/'])
      expect((await as('PATCH', `/v1/channels/${channel.id}`, { callback_url: url }, stranger.apiKey)).status).toBe(
        404,
      );
    expect((await as('POST', `/v1/channels/${channel.id}/rotate-secret`, {}, stranger.apiKey)).status).toBe(404);
    expect(await sealedOf(channel)).toEqual({ secret: null, previousSecret: null });
  });

  test('is shown to agents with possible tokens masked', async () => {
    const url = 'https://127.0.0.1/in/0123456789abcdef?token=hidden';
    await as('PATCH', `/v1/channels/${channel.id}`, { callback_url: url });
    await setRole(api.db, account.userId, 'agent');
    const { session } = account;
    const path = '/dashboard/api/channels';
    const one = await api.request<Channel>('GET', `${path}/${channel.id}`, { session });
    const list = await api.request<{ data: Channel[] }>('GET', path, { session });
    for (const shown of [one.body, list.body.data[0]])
      expect(shown?.callback_url).toBe('https://127.0.0.1/in/…?token=…');
  });
});
