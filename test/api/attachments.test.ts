import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { removeMedia } from '../../src/shared/media/remove-media.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aPicture } from '../helpers/files.ts';
import { holdLock } from '../helpers/locks.ts';
import { ageMedia } from '../helpers/states/media.ts';
import { aVisitor, aWebchat } from '../helpers/webchat/visitor.ts';

type Attachment = { id?: string; type: string; url?: string; thumbnail_url?: string | null };
type Message = { id: string; contact_id: string; conversation_id: string; text: string; attachments: Attachment[] };
type Refused = { error: { code: string; details?: { path: string; message: string; code: string }[] } };

const api = await useApi();
let account: TestAccount;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  channelId = (await as<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' })).body.id;
});

const as = <Body = Message>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body & Refused>(method, `/v1${path}`, { key, ...(body !== undefined && { body }) });

const upload = async (body: Buffer, name: string, key = account.apiKey): Promise<string> =>
  (
    await api.request<{ id: string }>('POST', `/v1/media?name=${name}`, {
      key,
      body,
      headers: { 'content-type': 'application/octet-stream' },
    })
  ).body.id;

const receive = (text: string, attachments?: unknown, message_id: string = randomUUID()) =>
  as<{ message: { id: string }; contact_id: string; duplicate: boolean }>('POST', `/channels/${channelId}/inbound`, {
    message_id,
    sender: { external_id: 'ada' },
    text,
    ...(attachments !== undefined && { attachments }),
  });

/** How many statements of this database wait for a lock. */
const countWaiting = async (): Promise<number> =>
  (await api.db`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).count;

const eventOf = async (): Promise<{ message: object } | undefined> => {
  const [event] = await api.db<{ data: { message: object } }[]>`
    select data from events where account_id = ${account.accountId} and name = 'new_message' order by id desc limit 1`;
  return event?.data;
};

describe('a message of a contact', () => {
  test('and one to them with the same file at the same time are both taken, whichever comes first', async () => {
    const file = await upload(Buffer.from('hello'), 'b.txt');
    const { body } = await receive('Hello');
    const attachments = [{ media_id: file }];
    for (const isFirst of ['of', 'to'] as const) {
      const held = await holdLock(api.db, (sql) => sql`select from media where account_id is not null for update`);
      const ways = {
        of: () => receive('From me', attachments),
        to: () => as('POST', `/contacts/${body.contact_id}/messages`, { text: 'To you', attachments }),
      };
      const first = ways[isFirst]();
      await held.hasStopped('update media');
      const second = ways[isFirst === 'of' ? 'to' : 'of']();
      await vi.waitUntil(async () => (await countWaiting()) === 2, { timeout: 30_000, interval: 10 });
      await held.letThrough();
      const statuses = (await Promise.all([first, second])).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([201, 202]));
    }
  });

  test('has its attachments in their order in the API, with links, and in the event, without links', async () => {
    const [picture, file] = [await upload(await aPicture(), 'a.png'), await upload(Buffer.from('hello'), 'b.txt')];
    const place = { type: 'location', latitude: 52.5, longitude: 13.4 };
    const card = { type: 'contact', name: 'Grace', phone: '+49 30 1' };
    const given = [{ media_id: file }, place, { media_id: picture }, card];
    const { status, body } = await receive('', given);
    expect(status).toBe(202);
    const { body: message } = await as('GET', `/messages/${body.message.id}`);
    expect(message).toMatchObject({
      text: '',
      attachments: [
        {
          id: file,
          type: 'file',
          name: 'b.txt',
          size: 5,
          url: expect.stringContaining('signature='),
          thumbnail_url: null,
        },
        place,
        { id: picture, type: 'image', width: 600, thumbnail_url: expect.stringContaining('size=thumbnail') },
        card,
      ],
    });
    const told = await eventOf();
    expect(told?.message).toMatchObject({
      text: '',
      attachments: [{ id: file, size: 5 }, place, { id: picture }, card],
    });
    expect(JSON.stringify(told)).not.toContain('signature');
    const { body: changes } = await as<{ messages: Message[] }>(
      'GET',
      `/conversations/${message.conversation_id}/changes`,
    );
    expect(changes.messages[0]?.attachments).toHaveLength(4);
  });

  test('that has none has no attachments in its event, and variant B has none in any case', async () => {
    await insertWebhook(api.deps, {
      accountId: account.accountId,
      url: 'https://receiver.example/',
      variant: 'dashboard',
    });
    await receive('Hello');
    expect((await eventOf())?.message).not.toHaveProperty('attachments');
    await receive('', [{ media_id: await upload(Buffer.from('x'), 'x') }]);
    const bodies = await api.db<{ body: string }[]>`
      select convert_from(body, 'UTF8') as body from deliveries where account_id = ${account.accountId} order by id`;
    expect(bodies.length).toBeGreaterThan(0);
    for (const { body } of bodies) expect(body).not.toContain('attachments');
  });

  test('handed in again is a duplicate, with its first attachments', async () => {
    const media = await upload(Buffer.from('x'), 'x');
    const first = await receive('', [{ media_id: media }], 'm-1');
    const again = await receive('', [{ media_id: media }], 'm-1');
    expect(again.body).toMatchObject({ message: { id: first.body.message.id }, duplicate: true });
  });

  test('that says nothing at all, or has what is no file of the account, is refused with its place', async () => {
    const foreign = await upload(Buffer.from('x'), 'x', (await api.createAccount()).apiKey);
    const refusals = [
      [await receive(''), 'text'],
      [await receive('', []), 'text'],
      [await receive('', [{ media_id: foreign }]), 'attachments.0.media_id'],
      [
        await receive(
          '',
          Array.from({ length: 11 }, () => ({ media_id: foreign })),
        ),
        'attachments',
      ],
      [await receive('x', [{ type: 'location', latitude: 91, longitude: 0 }]), 'attachments.0'],
    ] as const;
    for (const [{ status, body }, place] of refusals) {
      expect({ status, paths: body.error.details?.map(({ path }) => path.slice(0, place.length)) }).toEqual({
        status: 422,
        paths: [place],
      });
    }
    expect((await api.db`select from messages where account_id = ${account.accountId}`).count).toBe(0);
  });
});

describe('a message to a contact', () => {
  test('has attachments alone, also as the answer of an agent, and says so in lists', async () => {
    const { body: received } = await receive('Hello');
    const media = await upload(await aPicture(), 'a.png');
    const sent = await as('POST', `/contacts/${received.contact_id}/messages`, {
      text: '',
      attachments: [{ media_id: media }],
    });
    expect(sent).toMatchObject({ status: 201, body: { text: '', attachments: [{ id: media, type: 'image' }] } });
    const answered = await as('POST', `/conversations/${sent.body.conversation_id}/messages`, {
      text: '',
      client_ref: 'a-1',
      attachments: [{ media_id: media }],
    });
    expect(answered).toMatchObject({ status: 201, body: { attachments: [{ id: media }] } });
    const { body: list } = await as<{ data: Message[] }>('GET', `/contacts/${received.contact_id}/messages`);
    expect(list.data.map(({ attachments }) => attachments.length)).toEqual([1, 1, 0]);
  });

  test('without text and attachments, or with a file of another account, is refused', async () => {
    const { body } = await receive('Hello');
    const foreign = await upload(Buffer.from('x'), 'x', (await api.createAccount()).apiKey);
    const send = (message: object) => as('POST', `/contacts/${body.contact_id}/messages`, message);
    expect(await send({ text: ' ' })).toMatchObject({
      status: 422,
      body: { error: { details: [{ path: 'text', code: 'too_small', message: 'must have at least 1 character' }] } },
    });
    expect(await send({ text: '', attachments: [{ media_id: foreign }] })).toMatchObject({ status: 422 });
    expect(await send({ text: '', attachments: [{ media_id: 'med_nothing' }] })).toMatchObject({ status: 422 });
  });
});

test('a file that a message uses stays after a day, and one beside it goes', async () => {
  const [used, unused] = [await upload(Buffer.from('used'), 'a'), await upload(Buffer.from('unused'), 'b')];
  await receive('', [{ media_id: used }]);
  await ageMedia(api.db, account.accountId, 48);
  await removeMedia({ db: api.db, store: api.deps.media.store });
  expect(await as('GET', `/media/${used}`)).toMatchObject({ status: 200 });
  expect(await as('GET', `/media/${unused}`)).toMatchObject({ status: 404 });
  expect(await receive('', [{ media_id: unused }])).toMatchObject({ status: 422 });
});

describe('a visitor of a webchat', () => {
  test('sends a file once they have written, and reads attachments of both sides by their links', async () => {
    const visitor = aVisitor(api, await aWebchat(api, account));
    await visitor.say('Hello');
    const { status, body } = await visitor.upload(await aPicture(), 'a.png');
    expect({ status, body }).toMatchObject({ status: 201, body: { type: 'image', url: expect.any(String) } });
    const said = await visitor.say('', { attachments: [{ media_id: body.id }] });
    expect(said).toMatchObject({ status: 201, body: { message: { attachments: [{ id: body.id, type: 'image' }] } } });
    expect(await visitor.read()).toMatchObject({ messages: [{ attachments: [] }, { attachments: [{ id: body.id }] }] });
  });

  test('without a token uploads nothing', async () => {
    const visitor = aVisitor(api, await aWebchat(api, account));
    expect((await visitor.upload(Buffer.from('x'), 'x')).status).toBe(401);
    expect((await api.db`select from media where account_id = ${account.accountId}`).count).toBe(0);
  });

  test('cannot show a file of the account that is not theirs', async () => {
    const visitor = aVisitor(api, await aWebchat(api, account));
    await visitor.say('Hello');
    const secret = await upload(Buffer.from('of an agent'), 'secret.txt');
    expect((await visitor.say('', { attachments: [{ media_id: secret }] })).status).toBe(422);
  });
});
