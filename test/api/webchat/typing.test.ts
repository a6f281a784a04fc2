import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBeatTellers } from '../../../src/service/beat-tellers.ts';
import { newUuid, readId } from '../../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { openStream, within } from '../../helpers/stream.ts';
import { listenToTyping } from '../../helpers/webchat/visitor-stream.ts';
import { aChat, anIdentity, aVisitor, type TestVisitor, type TestWebchat } from '../../helpers/webchat/visitor.ts';

let aheadMs = 0;
const api = await useApi({
  visitors: { lookEveryMs: 30, now: () => performance.now() + aheadMs },
});
let account: TestAccount;
let channel: TestWebchat;
let visitor: TestVisitor;
beforeEach(async () => {
  aheadMs = 0;
  ({ account, channel, visitor } = await aChat(api));
});

const wait = { timeout: 15_000, interval: 10 };
const as = <Body>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, `/v1${path}`, { key: account.apiKey, body });

/** What the stream of a visitor who has written says of who types. */
const listen = async (of = visitor) => {
  const stream = await listenToTyping(api, channel, of);
  onTestFinished(stream.close);
  return stream;
};
const nobody = { bot: false, agent: false };
const agent = { bot: false, agent: true };

const conversationOf = async (of = visitor): Promise<string> => (await of.read()).conversation?.id ?? '';

/** An agent's tab at a conversation, who writes a reply, a note, or only looks. */
const beat = async (part: string | null, { tab = 'tab-of-ana', session = account.session } = {}) =>
  api.request('PUT', `/dashboard/api/presence/${await conversationOf()}/${tab}`, { session, body: { part } });

describe('an agent who writes', () => {
  test('a reply is shown to the visitor until the tab stops or leaves, and in what `changes` answers', async () => {
    await visitor.say('Hello');
    const stream = await listen();
    for (const stop of [
      () => beat(null),
      async () =>
        api.request('DELETE', `/dashboard/api/presence/${await conversationOf()}/tab-of-ana`, {
          session: account.session,
        }),
    ]) {
      await beat('reply');
      await stream.untilTyping(agent);
      expect((await visitor.read()).typing).toEqual(agent);
      await stop();
      await stream.untilTyping(nobody);
      expect((await visitor.read()).typing).toEqual(nobody);
    }
  });

  test('a note, or looks at the conversation, is not shown to the visitor', async () => {
    await visitor.say('Hello');
    const stream = await listen();
    await stream.untilTyping(nobody);
    for (const part of ['note', null]) await beat(part);
    await beat('reply');
    await stream.untilTyping(agent);
    expect(stream.text().match(/"agent":true/g)).toHaveLength(1);
  });

  test('types no more with the answer, unless another tab goes on', async () => {
    await visitor.say('Hello');
    const stream = await listen();
    await beat('reply');
    await stream.untilTyping(agent);
    const body = { text: 'Hi, this is Ana', client_ref: newUuid() };
    const path = `/dashboard/api/conversations/${await conversationOf()}/messages`;
    expect((await api.request('POST', path, { session: account.session, body })).status).toBe(201);
    await stream.untilText(body.text);
    await stream.untilTyping(nobody);
    await beat('reply', { tab: 'tab-of-ben' });
    await stream.untilTyping(agent);
  });

  test('is forgotten 15 s after the last beat of a tab that died', async () => {
    await visitor.say('Hello');
    const stream = await listen();
    await beat('reply');
    await stream.untilTyping(agent);
    aheadMs = 14_000;
    await beat('reply');
    aheadMs = 28_000;
    expect(await within(200, stream.untilTyping(nobody))).toBe(false);
    aheadMs = 30_000;
    await stream.untilTyping(nobody);
  });

  test('is seen by visitors whose stream another process has, and by no other visitor', async () => {
    await visitor.say('Hello');
    const other = aVisitor(api, channel);
    await other.say('Hello');
    const [stream, ofOther] = [await listen(), await listen(other)];
    const elsewhere = createBeatTellers({ sql: api.db, processId: newUuid(), log: pino({ level: 'silent' }) });
    onTestFinished(elsewhere.stop);
    const { accountId, userId } = account;
    const at = { accountId, userId, sessionId: newUuid(), tab: 'elsewhere', subject: await conversationOf() };
    elsewhere.presenceTeller.tell({ ...at, part: 'reply', hasLeft: false });
    await stream.untilTyping(agent);
    elsewhere.presenceTeller.tell({ ...at, part: null, hasLeft: true });
    await stream.untilTyping(nobody);
    expect(ofOther.text()).not.toContain('"agent":true');
  });

  test('costs nothing where no visitor listens: nothing is kept', async () => {
    await visitor.say('Hello');
    await beat('reply');
    expect((await visitor.read()).typing).toEqual(nobody);
  });
});

const type = (is_typing: boolean, of = visitor) => of.ask('POST', '/typing', { body: { is_typing } });

describe('a visitor who types', () => {
  const listenAs = async (session = account.session) => {
    const stream = await openStream(api, session);
    onTestFinished(stream.close);
    return stream;
  };

  test('reaches the agents of the account, also when it stops, and no other account', async () => {
    await visitor.say('Hello');
    const id = await conversationOf();
    const [stream, ofOther] = [await listenAs(), await listenAs((await api.createAccount()).session)];
    expect((await type(true)).status).toBe(204);
    await vi.waitUntil(() => stream.typing.some((hint) => hint.id === id && hint.is_typing), wait);
    await type(false);
    await vi.waitUntil(() => stream.typing.some((hint) => hint.id === id && !hint.is_typing), wait);
    expect(ofOther.typing).toEqual([]);
  });

  test('reaches agents whose stream another process has', async () => {
    await visitor.say('Hello');
    const stream = await listenAs();
    const elsewhere = createBeatTellers({ sql: api.db, processId: newUuid(), log: pino({ level: 'silent' }) });
    onTestFinished(elsewhere.stop);
    const id = await conversationOf();
    const beatOf = { accountId: account.accountId, conversationId: readId('conversation', id) };
    elsewhere.typingTeller.tell({ ...beatOf, isTyping: true });
    await vi.waitUntil(() => stream.typing.length > 0, wait);
    expect(stream.typing).toEqual([{ id, is_typing: true }]);
  });

  test('before the first message, or in a closed conversation, reaches nobody', async () => {
    const { body } = await visitor.identify(anIdentity(channel.secret, 'ada'));
    expect(body.visitor_token).toMatch(/./);
    expect((await type(true)).status).toBe(204);
    await visitor.say('Hello');
    const other = aVisitor(api, channel);
    await other.say('Hello');
    await as('POST', `/conversations/${await conversationOf()}/close`);
    const stream = await listenAs();
    expect((await type(true)).status).toBe(204);
    await type(true, other);
    await vi.waitUntil(() => stream.typing.length > 0, wait);
    expect(stream.typing).toEqual([{ id: await conversationOf(other), is_typing: true }]);
  });

  test('far too often is refused in words, and reaches agents five times a second at most', async () => {
    await visitor.say('Hello');
    const stream = await listenAs();
    const beganMs = performance.now();
    const statuses = [];
    for (let nth = 0; nth < 260; nth += 20)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_, index) => type(index % 2 === 0)))));
    expect(statuses.map(({ status }) => status)).toContain(429);
    await vi.waitUntil(() => stream.typing.length > 0, wait);
    expect(stream.typing.length).toBeLessThanOrEqual((performance.now() - beganMs) / 200 + 1);
  });
});
