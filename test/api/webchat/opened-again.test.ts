import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { showId } from '../../../src/shared/ids.ts';
import type { ShownThread } from '../../../src/shared/messages/webchat/show-thread.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { openStream } from '../../helpers/stream.ts';
import { openVisitorStream } from '../../helpers/webchat/visitor-stream.ts';
import { aVisitor, aWebchat, type TestVisitor, type TestWebchat } from '../../helpers/webchat/visitor.ts';

const api = await useApi({ visitors: { lookEveryMs: 3_600_000 } });
let account: TestAccount;
let channel: TestWebchat;
let visitor: TestVisitor;
/** What the visitor has read last. */
let seen: ShownThread;
/** The older conversation of the visitor. */
let older: string | undefined;

const as = <Body>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, `/v1${path}`, { key: account.apiKey, body });

const answer = async (text: string) => {
  const [contact] = await api.db<{ id: string }[]>`select id from contacts where account_id = ${account.accountId}`;
  return (await as<{ id: string }>('POST', `/contacts/${showId('contact', contact?.id ?? '')}/messages`, { text }))
    .body;
};

const close = async () => as('POST', `/conversations/${(await visitor.read()).conversation?.id}/close`);

beforeEach(async () => {
  account = await api.createAccount();
  channel = await aWebchat(api, account);
  visitor = aVisitor(api, channel);
  await visitor.say('First talk');
  older = (await visitor.read()).conversation?.id;
  await close();
  await visitor.say('Second talk');
  await close();
  seen = await visitor.read();
});

const follow = async ({ revision, conversation }: ShownThread) => {
  const query = `?after=${revision}&conversation=${conversation?.id}`;
  const stream = await openVisitorStream(api, channel, visitor, { query });
  onTestFinished(stream.close);
  return stream;
};

describe('a visitor whose older conversation an agent has opened again', () => {
  test.for([
    { how: 'followed the younger one', isThere: true },
    { how: 'comes back', isThere: false },
  ])('and who $how sees the answer in it at once', async ({ isThere }) => {
    const there = isThere ? await follow(seen) : undefined;
    await as('POST', `/conversations/${older}/reopen`);
    const stream = there ?? (await follow(seen));
    await stream.until(({ event }) => event === 'reset');
    const again = await follow(await visitor.read());
    await answer('I looked it up');
    await again.untilText('I looked it up');
    expect(again.changes().at(-1)?.conversation?.id).toBe(older);
  });

  test('reads it as the latest one, also after it is closed, until another one begins', async () => {
    await as('POST', `/conversations/${older}/reopen`);
    await answer('I looked it up');
    const asked = `?after=${seen.revision}&conversation=${seen.conversation?.id}`;
    expect(await visitor.read(asked)).toMatchObject({
      conversation: { id: older, status: 'open' },
      messages: [{ text: 'First talk' }, { text: 'Second talk' }, { text: 'I looked it up' }],
    });
    const following = await follow(await visitor.read());
    await close();
    await following.until(({ body }) => body.conversation?.status === 'closed');
    expect((await visitor.read()).conversation).toMatchObject({ id: older, status: 'closed' });
    await visitor.say('Third talk');
    await following.until(({ event }) => event === 'reset');
    expect((await visitor.read()).conversation?.id).not.toBe(older);
  });

  test('marks the answer in it as read, and is seen to type in it', async () => {
    await as('POST', `/conversations/${older}/reopen`);
    const { id } = await answer('I looked it up');
    await visitor.ask('POST', '/read', { body: { revision: (await visitor.read()).revision } });
    expect((await as('GET', `/messages/${id}`)).body).toMatchObject({ read_at: expect.any(String) });
    const agent = await openStream(api, account.session);
    onTestFinished(agent.close);
    await visitor.ask('POST', '/typing', { body: { is_typing: true } });
    await vi.waitUntil(() => agent.typing.some((hint) => hint.id === older && hint.is_typing), { timeout: 15_000 });
  });

  test('marks only what it has seen of the younger one, and nothing of another visitor', async () => {
    await as('POST', `/conversations/${older}/reopen`);
    const { id } = await answer('I looked it up');
    const isRead = async () => (await as<{ read_at: string | null }>('GET', `/messages/${id}`)).body.read_at !== null;
    const mark = (who: TestVisitor, conversation: string | undefined) =>
      who.ask('POST', '/read', { body: { revision: 1_000_000, conversation } });
    const other = aVisitor(api, channel);
    await other.say('Somebody else');
    for (const conversation of [seen.conversation?.id, 'cnv_nonsense'])
      expect((await mark(visitor, conversation)).status).toBe(204);
    expect((await mark(other, older)).status).toBe(204);
    expect(await isRead()).toBe(false);
    expect((await mark(visitor, older)).status).toBe(204);
    expect(await isRead()).toBe(true);
  });
});
