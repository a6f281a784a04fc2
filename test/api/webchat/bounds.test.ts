import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startApi, type TestAccount, type TestApi, useApi } from '../../helpers/api.ts';
import { routesOfChannel, routesOfPages } from '../../helpers/webchat/routes.ts';
import {
  aChat,
  anIdentity,
  aVisitor,
  aWebchat,
  site,
  type TestVisitor,
  type TestWebchat,
} from '../../helpers/webchat/visitor.ts';

const api = await useApi();
let account: TestAccount;
let channel: TestWebchat;
let visitor: TestVisitor;
beforeEach(async () => {
  ({ account, channel, visitor } = await aChat(api));
});

const stored = async (of = api, { accountId } = account): Promise<number | undefined> => {
  const [row] = await of.db<{ count: number }[]>`
    select ((select count(*) from messages where account_id = ${accountId})
      + (select count(*) from webchat_visitors where account_id = ${accountId})
      + (select count(*) from contacts where account_id = ${accountId}))::int as count`;
  return row?.count;
};

describe('pages of other sites', () => {
  test('of the channel, and the demo page, may read every answer, which sets no cookie', async () => {
    for (const origin of [site, api.deps.config.baseUrl])
      for (const route of routesOfPages) {
        const { headers } = await visitor.ask(route.method, route.path, { body: route.body?.(), headers: { origin } });
        expect([route.route, headers]).toMatchObject([route.route, { 'access-control-allow-origin': origin }]);
        expect(headers['vary']).toContain('Origin');
        expect(headers['access-control-allow-credentials']).toBeUndefined();
        expect(headers['set-cookie']).toBeUndefined();
      }
  });

  test('may ask once in two hours what they may ask', async () => {
    const answer = await visitor.ask('OPTIONS', '/messages', {
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-visitor-token',
      },
    });
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': site,
        'access-control-allow-headers': 'Content-Type, X-Visitor-Token',
        'access-control-max-age': '7200',
      },
    });
  });

  test('lose that at once when they are no more among the origins', async () => {
    await visitor.say('Hello');
    await api.request('PATCH', `/v1/channels/${channel.id}`, { key: account.apiKey, body: { origins: [] } });
    expect((await visitor.ask('GET', '/changes')).status).toBe(403);
  });
});

/** An API of its own, whose counts nobody else has used. */
const own = async (config: object = {}): Promise<{ api: TestApi; account: TestAccount; channel: TestWebchat }> => {
  const started = await startApi({ config: { trustProxy: () => true, ...config } });
  onTestFinished(() => started.stop());
  const ownAccount = await started.createAccount();
  return { api: started, account: ownAccount, channel: await aWebchat(started, ownAccount) };
};

/** Does it so often, some at a time, and answers how often each status came. */
const many = async (
  times: number,
  ask: (nth: number) => Promise<{ status: number }>,
): Promise<Record<number, number>> => {
  const statuses: number[] = [];
  for (let nth = 0; nth < times; nth += 50) {
    const some = Array.from({ length: Math.min(50, times - nth) }, (_, index) => ask(nth + index));
    statuses.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  const counts = Map.groupBy(statuses, (status) => status);
  return Object.fromEntries(Array.from(counts, ([status, all]) => [status, all.length]));
};

/** On a slow machine another minute begins, with requests of its own. */
const minutesSince = (beganMs: number): number => 1 + Math.floor((performance.now() - beganMs) / 60_000);

const saidHello = async (at: TestApi, to: TestWebchat): Promise<TestVisitor> => {
  const visitor = aVisitor(at, to);
  await visitor.say('Hello');
  return visitor;
};

describe('too many requests in a minute are refused in words with 429 and Retry-After:', () => {
  test('messages of one visitor beyond 30, which does not keep others from writing', async () => {
    const { api: its, channel: at } = await own();
    const [noisy, other] = [aVisitor(its, at), aVisitor(its, at)];
    await noisy.say('Hello');
    expect(await many(50, () => noisy.say('again'))).toEqual({ 201: 30, 429: 20 });
    const refused = await noisy.say('again');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['access-control-allow-origin']).toBe(site);
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After');
    expect(JSON.parse(refused.text).error.message).toBe('You write too fast. Wait a moment.');
    expect((await other.say('Hello')).status).toBe(201);
  });

  test('10,000 from one address: 200 chats begin, 6,000 requests are taken, and another address chats on', async () => {
    const { api: its, channel: at } = await own();
    const crowd = (address: string) => aVisitor(its, at, { address });
    const beganMs = performance.now();
    expect(await many(300, () => crowd('192.0.2.1').say('Hello'))).toEqual({ 201: 200, 429: 100 });
    const { 200: taken = 0, 429: refused = 0 } = await many(9_700, () => crowd('192.0.2.1').ask('GET', '/config'));
    expect(taken).toBeGreaterThanOrEqual(5_700);
    expect(taken).toBeLessThanOrEqual(6_000 * minutesSince(beganMs) - 300);
    expect(refused).toBe(9_700 - taken);
    expect((await crowd('192.0.2.2').say('Hello')).status).toBe(201);
  });

  test('wrong tokens and hashes of one address beyond 500, beside which its visitors chat on', async () => {
    const { api: its, channel: at } = await own();
    const honest = aVisitor(its, at);
    await honest.say('Hello');
    const liar = aVisitor(its, at, { address: '192.0.2.7' });
    liar.token = 'a'.repeat(43);
    expect(await many(600, () => liar.ask('GET', '/changes'))).toEqual({ 401: 500, 429: 100 });
    const forger = aVisitor(its, at, { address: '192.0.2.8' });
    const body = anIdentity('wrong', 'ada');
    expect(await many(600, () => forger.ask('POST', '/identify', { body }))).toEqual({ 403: 500, 429: 100 });
    expect((await honest.say('Still here')).status).toBe(201);
  });

  test('a visitor who asks too often uses up nothing of those who share the address', async () => {
    const { api: its, channel: at } = await own();
    const [looping, colleague] = [aVisitor(its, at), aVisitor(its, at)];
    await looping.say('Hello');
    const beganMs = performance.now();
    const { 429: refused = 0 } = await many(1_200, () => looping.ask('GET', '/config'));
    expect(1_200 - refused).toBeLessThanOrEqual(240 * minutesSince(beganMs));
    expect((await colleague.say('Hello')).status).toBe(201);
  });

  test('visits that the database could not answer use up nothing of what proves nothing', async () => {
    const { api: its, channel: at } = await own();
    const visitor = aVisitor(its, at);
    await visitor.say('Hello');
    await its.db`alter table webchat_tokens rename to webchat_tokens_away`;
    expect(await many(600, () => aVisitor(its, at).ask('GET', '/config'))).toEqual({ 500: 600 });
    await its.db`alter table webchat_tokens_away rename to webchat_tokens`;
    expect((await visitor.say('Still here')).status).toBe(201);
  });

  test('10,000 from many addresses beyond the budget of the account store nothing', async () => {
    const { api: its, account: ownAccount, channel: at } = await own({ rateLimitPerMinute: 100 });
    const beganMs = performance.now();
    const address = (nth: number) => `198.51.${nth % 100}.${Math.floor(nth / 100)}`;
    const { 201: taken = 0, 429: refused = 0 } = await many(10_000, (nth) =>
      aVisitor(its, at, { address: address(nth) }).say('Hello'),
    );
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(100 * minutesSince(beganMs));
    expect(refused).toBe(10_000 - taken);
    expect(await stored(its, ownAccount)).toBe(taken * 3);
  });

  test('10,000 of one visitor from many addresses: 240 are answered, by whichever routes', async () => {
    const { api: its, account: ownAccount, channel: at } = await own();
    const { token } = await saidHello(its, at);
    const before = await stored(its, ownAccount);
    const asked = routesOfChannel.filter(({ route }) => !['POST /:id/messages', 'POST /:id/media'].includes(route));
    const [any = expect.fail('no route')] = asked;
    const beganMs = performance.now();
    const said = new Set<string>();
    const { 429: refused = 0 } = await many(10_000, async (nth) => {
      const { method, path, body } = asked[nth % asked.length] ?? any;
      const browser = Object.assign(aVisitor(its, at, { address: `198.51.100.${nth % 250}` }), { token });
      const answer = await browser.ask(method, path, { body: body?.() });
      if (answer.status === 429) said.add(JSON.parse(answer.text).error.message);
      return answer;
    });
    expect(10_000 - refused).toBeLessThanOrEqual(240 * minutesSince(beganMs));
    expect(
      [...said].every((message) => /^\p{Lu}.+ Wait a moment\.$/u.test(message) || /chats of yours/.test(message)),
    ).toBe(true);
    expect(await stored(its, ownAccount)).toBe(before);
  });

  test('messages of one network beyond half of its channel, which takes nothing from who goes elsewhere', async () => {
    const { api: its, channel: at } = await own({ rateLimitPerMinute: 60 });
    const from = (address: string, token?: string) => Object.assign(aVisitor(its, at, { address }), { token });
    const speaker = from('192.0.2.1');
    await speaker.say('Hello');
    expect(await many(50, () => from('192.0.2.1').say('Hello'))).toEqual({ 201: 29, 429: 21 });
    expect(await many(40, () => speaker.say('Still here'))).toEqual({ 429: 40 });
    const refused = await speaker.say('Still here');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(refused.text).error.message).toBe('Too many messages come from your network. Wait a moment.');
    expect(await many(20, () => from('192.0.2.2').say('Hello'))).toEqual({ 201: 15, 429: 5 });
    expect((await from('192.0.2.3', speaker.token).say('From my phone')).status).toBe(201);
  });

  test('an office of 200 people behind one address chats', async () => {
    const { api: its, channel: at } = await own();
    const people = Array.from({ length: 200 }, () => aVisitor(its, at, { address: '203.0.113.5' }));
    for (const _ of ['config', 'a message', 'an answer', 'another message']) {
      await many(200, (nth) => people[nth]?.ask('GET', '/config') ?? Promise.resolve({ status: 0 }));
      const said = await many(200, (nth) => people[nth]?.say('Hello') ?? Promise.resolve({ status: 0 }));
      expect(said).toEqual({ 201: 200 });
    }
  });
});
