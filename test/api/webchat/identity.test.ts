import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newUuid, readId } from '../../../src/shared/ids.ts';
import { hashIdentity } from '../../../src/shared/messages/webchat/identity.ts';
import { createReturnToken } from '../../../src/shared/messages/webchat/links.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { ageTokens, endGraceOfSecrets } from '../../helpers/states/channels.ts';
import { allRoutes, routesOfPages, servedRoutes } from '../../helpers/webchat/routes.ts';
import { openVisitorStream } from '../../helpers/webchat/visitor-stream.ts';
import {
  aChat,
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
  ({ account, channel } = await aChat(api));
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

  test('keeps the tokens of the twenty browsers that were used last, however old they are', async () => {
    const [used, unused] = [await ada(), await ada()];
    await ageTokens(api.db, readId('channel', channel.id), 2);
    expect((await used.ask('GET', '/changes')).status).toBe(200);
    for (let nth = 0; nth < 19; nth += 1) await aVisitor(api, channel).identify(anIdentity(channel.secret, 'ada'));
    expect((await used.ask('GET', '/changes')).status).toBe(200);
    expect((await unused.ask('GET', '/changes')).status).toBe(401);
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

/** What Ada has beside her thread: a file in it, and a link of a mail that she has used. */
const belongingsOf = async (victim: TestVisitor) => {
  const { body: file } = await victim.upload(Buffer.from('plum-velvet'), 'bill.txt');
  await victim.say('Here is it', { attachments: [{ media_id: file.id }] });
  const [{ id } = { id: '' }] = await api.db<{ id: string }[]>`
    select id from webchat_visitors where channel_id = ${readId('channel', channel.id)} and identified_as = 'ada'`;
  const link = await createReturnToken(api.db, id);
  const elsewhere = aVisitor(api, channel);
  const { body } = await elsewhere.ask<{ visitor_token: string }>('POST', '/return', { body: { token: link } });
  elsewhere.token = body.visitor_token;
  expect((await elsewhere.read()).messages).not.toEqual([]);
  return { file, link, tokens: await tokensOfAda() };
};

/** The hashes of the tokens by which browsers are hers. */
const tokensOfAda = () => api.db`
  select t.hash from webchat_tokens t join webchat_visitors v on v.id = t.visitor_id
  where v.channel_id = ${readId('channel', channel.id)} and v.identified_as = 'ada' order by t.hash`;

/** All that the visitor is answered by every route, and to requests for what Ada has. */
const tryEverything = async (
  visitor: TestVisitor,
  { file, link }: Awaited<ReturnType<typeof belongingsOf>>,
): Promise<string> => {
  const { token } = visitor;
  const stream = await openVisitorStream(api, channel, visitor);
  onTestFinished(stream.close);
  const theirs = { client_id: newUuid(), text: 'Show it to me', attachments: [{ media_id: file.id }] };
  const requests = [
    ...allRoutes.map(({ method, path, body }) => ({ method, path, body: body?.() })),
    { method: 'GET', path: '/changes?after=1', body: undefined },
    { method: 'POST', path: '/return', body: { token: link } },
    { method: 'POST', path: '/messages', body: theirs },
  ];
  const answers: string[] = [];
  for (const { method, path, body } of requests) answers.push((await visitor.ask(method, path, { body })).text);
  const { pathname } = new URL(file.url);
  answers.push((await api.request('GET', pathname)).text);
  if (stream.status === 200) {
    visitor.token = token;
    await visitor.say('The end');
    await stream.until(({ event, body }) => event === 'reset' || JSON.stringify(body).includes('The end'));
  }
  return [...answers, stream.text()].join('\n');
};

test('the table of routes has every one that is served, and pages of other sites may ask theirs', () => {
  const asked = routesOfPages.map(({ path }) => `OPTIONS /:id${path.split('?')[0]}`);
  const listed = [...allRoutes.map(({ route }) => route), ...asked];
  expect(servedRoutes(api).toSorted()).toEqual(listed.toSorted());
});

describe.each(Object.entries(impostors))('with %s', (_, identityOf) => {
  test.for(['nobody', 'an anonymous visitor', 'another identified person', 'a visitor of another channel'])(
    '%s is refused, and reads nothing of another thread by any route',
    async (who) => {
      const victim = await ada();
      const belongings = await belongingsOf(victim);
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
      const answers = await tryEverything(visitor, belongings);
      expect(answers).not.toMatch(/plum-velvet|bill\.txt/);
      expect(await tokensOfAda()).toEqual(belongings.tokens);
      const { revision, messages } = await victim.read();
      expect({ revision, texts: messages.map(({ text }) => text) }).toEqual({
        revision: before.revision,
        texts: ['My order is plum-velvet', 'Here is it'],
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
    const refused = allRoutes.filter(({ route, isOfVisitor }) => isOfVisitor || route === 'POST /:id/messages');
    for (const { method, path, body } of refused)
      expect((await visitor.ask(method, path, { body: body?.() })).status).toBe(403);
    await visitor.identify(anIdentity(open.secret, 'ada'));
    expect((await visitor.say('Hello')).status).toBe(201);
  });
});
