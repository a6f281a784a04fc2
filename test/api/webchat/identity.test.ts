import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashIdentity } from '../../../src/shared/messages/webchat/identity.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { endGraceOfSecrets } from '../../helpers/states/channels.ts';
import {
  anIdentity,
  aVisitor,
  aWebchat,
  inSeconds,
  type TestVisitor,
  type TestWebchat,
} from '../../helpers/webchat/visitor.ts';

const api = await useApi();
let account: TestAccount;
let channel: TestWebchat;
beforeEach(async () => {
  account = await api.createAccount();
  channel = await aWebchat(api, account);
});

const rotate = async ({ id }: TestWebchat = channel): Promise<string> =>
  (await api.request<{ secret: string }>('POST', `/v1/channels/${id}/rotate-secret`, { key: account.apiKey })).body
    .secret;
const textsOf = async (visitor: TestVisitor) => (await visitor.read()).messages.map(({ text }) => text);
const visitorsOf = (external_id: string) =>
  api.db`select from webchat_visitors where account_id = ${account.accountId} and identified_as = ${external_id}`;

/** Ada, who is identified and has a thread. */
const ada = async (): Promise<TestVisitor> => {
  const visitor = aVisitor(api, channel);
  expect((await visitor.identify(anIdentity(channel.secret, 'ada'))).status).toBe(200);
  await visitor.say('My order is plum-velvet');
  return visitor;
};

describe('a visitor whom the site identifies', () => {
  test('has one thread on every device, and keeps its token when it is identified again', async () => {
    const first = await ada();
    const { token } = first;
    await first.identify(anIdentity(channel.secret, 'ada'));
    expect(first.token).toBe(token);
    const second = aVisitor(api, channel);
    await second.identify(anIdentity(channel.secret, 'ada'));
    expect(second.token).not.toBe(token);
    expect(await textsOf(second)).toEqual(['My order is plum-velvet']);
    expect(await visitorsOf('ada')).toHaveLength(1);
  });

  test('gets the name that the page says, and an e-mail address of a page is not that of the contact', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.identify({ ...anIdentity(channel.secret, 'ada'), name: 'Ada', email: 'boss@example.com' });
    await visitor.say('Hello');
    const { body } = await api.request<{ data: object[] }>('GET', '/v1/contacts', { key: account.apiKey });
    expect(body.data).toMatchObject([{ first_name: 'Ada', email: null, external_id: null }]);
  });

  test('is another person than who chatted here before: neither reads what the other has said', async () => {
    const visitor = aVisitor(api, channel);
    await visitor.say('Before I signed in');
    const anonymous = aVisitor(api, channel);
    anonymous.token = visitor.token;
    await visitor.identify(anIdentity(channel.secret, 'ada'));
    await visitor.say('I am Ada');
    expect(await textsOf(visitor)).toEqual(['I am Ada']);
    await visitor.identify(anIdentity(channel.secret, 'bob'));
    expect(await textsOf(visitor)).toEqual([]);
    await visitor.say('I am Bob');
    expect(await textsOf(visitor)).toEqual(['I am Bob']);
    expect(await textsOf(anonymous)).toEqual(['Before I signed in']);
    const { count } = await api.db`select from contacts where account_id = ${account.accountId}`;
    expect(count).toBe(3);
  });

  test('keeps the tokens of its newest twenty browsers', async () => {
    const first = await ada();
    for (let nth = 0; nth < 20; nth += 1) await aVisitor(api, channel).identify(anIdentity(channel.secret, 'ada'));
    expect((await first.ask('GET', '/changes')).status).toBe(401);
  });
});

/** Who tries to be Ada, and has no right to. */
const impostors: Record<string, () => Promise<object>> = {
  'no hash': async () => ({ external_id: 'ada', expires_at: inSeconds(60) }),
  'an empty hash': async () => ({ external_id: 'ada', expires_at: inSeconds(60), hash: '' }),
  'a hash of another length': async () => ({ external_id: 'ada', expires_at: inSeconds(60), hash: 'ab' }),
  'a wrong hash': async () => ({ external_id: 'ada', expires_at: inSeconds(60), hash: 'a'.repeat(64) }),
  'a hash of another person': async () => ({ ...anIdentity(channel.secret, 'bob'), external_id: 'ada' }),
  'a hash of another time': async () => ({ ...anIdentity(channel.secret, 'ada'), expires_at: inSeconds(7_200) }),
  'the separator moved': async () => {
    const expires_at = inSeconds(60);
    const hash = hashIdentity(channel.secret, { external_id: `ada.${expires_at}`.slice(0, 5), expires_at });
    return { external_id: 'ada', expires_at, hash };
  },
  'an expired hash': async () => anIdentity(channel.secret, 'ada', inSeconds(-1)),
  'a hash that would hold for two days': async () => anIdentity(channel.secret, 'ada', inSeconds(172_800)),
  'the hash of another channel': async () => anIdentity((await aWebchat(api, account)).secret, 'ada'),
  'a replay after the rotated secret ended': async () => {
    const identity = anIdentity(channel.secret, 'ada');
    await rotate();
    await endGraceOfSecrets(api.db, channel.id);
    return identity;
  },
  'a secret that was rotated twice': async () => {
    const identity = anIdentity(channel.secret, 'ada');
    await rotate();
    await rotate();
    return identity;
  },
  'a list for an id': async () => ({ ...anIdentity(channel.secret, 'ada'), external_id: ['ada'] }),
};

/** Every route that shows or changes something of a thread. */
const routes: [method: string, path: string, body?: object][] = [
  ['GET', '/changes'],
  ['GET', '/changes?after=1'],
  ['POST', '/messages', { client_id: randomUUID(), text: 'What is my order?' }],
  ['POST', '/read', { revision: 1_000 }],
  ['POST', '/typing', { is_typing: true }],
];

describe.each(Object.entries(impostors))('with %s', (_, identityOf) => {
  test.for(['nobody', 'an anonymous visitor', 'another identified person', 'a visitor of another channel'])(
    '%s is refused, and reads nothing of another thread by any route',
    async (who) => {
      const victim = await ada();
      const before = await victim.read();
      const visitor = aVisitor(api, channel);
      if (who === 'an anonymous visitor') await visitor.say('hello');
      if (who === 'another identified person') await visitor.identify(anIdentity(channel.secret, 'bob'));
      if (who === 'a visitor of another channel') {
        const other = await aWebchat(api, account);
        const there = aVisitor(api, other);
        await there.identify(anIdentity(other.secret, 'ada'));
        visitor.token = there.token;
      }
      const { token } = visitor;
      const refused = await visitor.identify(await identityOf());
      expect([401, 403, 422]).toContain(refused.status);
      expect(refused.text).not.toContain('visitor_token');
      visitor.token = token;
      for (const [method, path, body] of routes)
        expect((await visitor.ask(method, path, { body })).text).not.toContain('plum-velvet');
      victim.token = before.conversation ? victim.token : undefined;
      expect(await victim.read()).toMatchObject({
        revision: before.revision,
        messages: [{ text: 'My order is plum-velvet' }],
      });
    },
  );
});

test('a hash by the secret before the present one is good for a day, and one by the present one at once', async () => {
  const next = await rotate();
  for (const secret of [channel.secret, next])
    expect((await aVisitor(api, channel).identify(anIdentity(secret, 'ada'))).status).toBe(200);
});

describe('where an identity is required', () => {
  beforeEach(async () => {
    channel = await aWebchat(api, account, { require_identity: true });
  });

  test('a visitor whom nobody vouches for writes and reads nothing, and the answer says so in words', async () => {
    const visitor = aVisitor(api, channel);
    const answer = await visitor.say('Hello');
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden', message: expect.any(String) } } });
    expect(await api.db`select from webchat_visitors where account_id = ${account.accountId}`).toHaveLength(0);
  });

  test('one who chatted before it was required is refused by every route, and one who is identified is not', async () => {
    const open = await aWebchat(api, account);
    const visitor = aVisitor(api, open);
    await visitor.say('Hello');
    await api.request('PATCH', `/v1/channels/${open.id}`, { key: account.apiKey, body: { require_identity: true } });
    for (const [method, path, body] of routes) expect((await visitor.ask(method, path, { body })).status).toBe(403);
    await visitor.identify(anIdentity(open.secret, 'ada'));
    expect((await visitor.say('Hello')).status).toBe(201);
  });
});
