import { afterAll, beforeEach, expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { startApi, type TestAccount } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { startDeliveryWorld } from '../helpers/delivery-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { write } from '../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../helpers/telegram/kinds.ts';
import { startTelegram } from '../helpers/telegram/service.ts';
import { handInAll } from '../helpers/telegram/webhooks.ts';
import { aVisitor, aWebchat } from '../helpers/webchat/visitor.ts';

const telegram = await startTelegram();
const channelKinds = kindsWithTelegram(telegram);
const world = await startDeliveryWorld({ passes: () => true, channelKinds });
const api = await startApi({ world, channelKinds });
afterAll(async () => {
  await api.stop();
  await world.stop();
  await telegram.close();
});

let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
  await aFlow(api.db, account.accountId, {
    triggers: [{ type: 'keyword', words: ['order'] }],
    blocks: [{ id: 'size', type: 'ask', prompt: 'Which size?' }],
  });
});

const as = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
  const answer = await api.request<Body>(method, `/dashboard/api${path}`, {
    session: account.session,
    ...(body !== undefined && { body }),
  });
  expect([path, answer.status < 300 || answer.body]).toEqual([path, true]);
  return answer.body;
};

/** Ways to write of somebody, over a channel that they make. */
const channels = {
  webchat: async () => {
    const { say } = aVisitor(api, await aWebchat(api, account));
    return say;
  },
  Telegram: async () => {
    const bot = telegram.addBot();
    await as('POST', '/channels', { type: 'telegram', name: 'Bot', bot_token: bot.token });
    return async (text: string) => {
      write(bot, 1, text);
      await handInAll(bot);
    };
  },
  'a channel of the API': async () => {
    const { id } = await as<{ id: string }>('POST', '/channels', {
      type: 'api',
      name: 'Shop',
      callback_url: 'https://127.0.0.1:1/messages',
    });
    const sender = { external_id: 'ada' };
    return (text: string) => as('POST', `/channels/${id}/inbound`, anInboundMessage({ text, sender }));
  },
};

type Message = { text: string; direction: string; routed_to: unknown };
type Conversation = { id: string; contact_id: string; unread: number };

const conversation = async (): Promise<Conversation> => {
  const { data } = await as<{ data: Conversation[] }>('GET', '/conversations');
  expect(data).toHaveLength(1);
  return data[0] ?? expect.fail('there is no conversation');
};
const said = async (id: string): Promise<Message[]> => {
  const { data } = await as<{ data: Message[] }>('GET', `/conversations/${id}/messages`);
  return data.filter(({ direction }) => direction === 'inbound').toReversed();
};
const runs = () =>
  api.db<{ status: string; reason: string | null }[]>`
    select status, reason from runs where account_id = ${account.accountId} order by id`;
const events = async () =>
  (await api.db`select from events where account_id = ${account.accountId} and name = 'new_message'`).count;

test.for(['webchat', 'Telegram', 'a channel of the API'] as const)(
  'blocking over %s ends the flow; what comes is kept and asks for nobody, until it is over',
  async (channel) => {
    const say = await channels[channel]();
    await say('order');
    const { id, contact_id } = await conversation();
    expect([...(await runs())]).toEqual([{ status: 'waiting', reason: null }]);
    await as('PATCH', `/contacts/${contact_id}`, { status: 'blocked' });
    expect([...(await runs())]).toEqual([{ status: 'cancelled', reason: 'blocked' }]);

    await as('PATCH', `/conversations/${id}`, { assigned_to: showId('user', account.userId) });
    for (const text of ['M', 'order']) await say(text);
    const nobody = { to: 'nobody', because: 'blocked' };
    expect((await said(id)).slice(1)).toMatchObject([
      { text: 'M', routed_to: nobody },
      { text: 'order', routed_to: nobody },
    ]);
    expect(await conversation()).toMatchObject({ id, unread: 0 });
    expect(await runs()).toHaveLength(1);
    expect(await events()).toBe(3);

    await as('PATCH', `/contacts/${contact_id}`, { status: 'active' });
    expect((await conversation()).unread).toBeGreaterThan(0);
    await say('order');
    expect((await runs()).map(({ status }) => status)).toEqual(['cancelled', 'waiting']);
  },
);

test('who is unsubscribed by the account is in no flow any more, as after STOP', async () => {
  const say = await channels.webchat();
  await say('order');
  const { contact_id } = await conversation();
  await as('PATCH', `/contacts/${contact_id}`, { status: 'unsubscribed' });
  expect([...(await runs())]).toEqual([{ status: 'cancelled', reason: 'unsubscribed' }]);
});
