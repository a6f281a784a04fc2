import { beforeEach, describe, expect, test } from 'vitest';
import { hashEmail } from '../../../src/shared/messages/webchat/identity.ts';
import { mailVisitors } from '../../../src/shared/notifications/mail-visitors.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { useMails } from '../../helpers/mails.ts';
import { endTokens } from '../../helpers/states/channels.ts';
import { letVisitorsWait } from '../../helpers/states/conversations.ts';
import { openVisitorStream } from '../../helpers/webchat/visitor-stream.ts';
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
const mails = await useMails(api);
let account: TestAccount;
let channel: TestWebchat;
beforeEach(async () => {
  ({ account, channel } = await aChat(api, { mail_after_minutes: 5 }));
});

const email = 'ada@example.com';

/** What a server says of a person whose address it vouches for. */
const proven = ({ secret }: TestWebchat, external_id = 'ada') => {
  const identity = { ...anIdentity(secret, external_id), email };
  return { ...identity, email_hash: hashEmail(secret, identity) };
};

/** Ada has written from this page of the site, and left. */
const ada = async (identity: object = proven(channel), url = `${site}/orders#top`): Promise<TestVisitor> => {
  const visitor = aVisitor(api, channel);
  expect((await visitor.identify(identity)).status).toBe(200);
  expect((await visitor.say('Where is my order?', { context: { url } })).status).toBe(201);
  return visitor;
};

/** The conversation of the account's only contact. */
const conversation = async (): Promise<string> => {
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/conversations', { key: account.apiKey });
  return body.data[0]?.id ?? '';
};

/** An agent answers, or a program with an API key. */
const answer = async (text = 'Secret answer', by: object = { session: account.session }) => {
  const path = `${'key' in by ? '/v1' : '/dashboard/api'}/conversations/${await conversation()}/messages`;
  expect((await api.request('POST', path, { ...by, body: { text, client_ref: text } })).status).toBe(201);
};

/** What is mailed once these minutes have passed. */
const mailsAfter = async (minutes: number) => {
  await letVisitorsWait(api.db, minutes);
  await mailVisitors({ transact: api.deps.transact });
  return mails.deliver();
};

const linkOf = (text = '') => /(https?:\S+)#parley-chat=([\w-]{43})/.exec(text)?.slice(1) ?? [];

describe('a mail to a visitor who left', () => {
  test('comes once after an agent has answered, to the proven address, and has nothing of the conversation', async () => {
    await ada();
    await answer();
    expect(await mailsAfter(4)).toEqual([]);
    const [mail, ...others] = await mailsAfter(1);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: email, subject: 'Shop: an answer waits for you in the chat' });
    expect(mail?.source).not.toContain('Secret');
    await answer('Another answer');
    expect(await mailsAfter(60)).toEqual([]);
  });

  test.for<[why: string, act: (visitor: TestVisitor) => Promise<unknown>]>([
    ['reads changes', (visitor) => visitor.read()],
    ['writes', (visitor) => visitor.say('Hello?')],
    ['opens a stream', async (visitor) => (await openVisitorStream(api, channel, visitor)).close()],
  ])('is withdrawn once the visitor %s, and comes again for the next answer', async ([, act]) => {
    const visitor = await ada();
    await answer();
    await act(visitor);
    expect(await mailsAfter(5)).toEqual([]);
    await answer('Second');
    await letVisitorsWait(api.db, 5);
    await mailVisitors({ transact: api.deps.transact });
    await act(visitor);
    expect(await mails.deliver()).toEqual([]);
    await answer('Third');
    expect(await mailsAfter(5)).toHaveLength(1);
  });

  test('does not come while a stream of the visitor is open', async () => {
    const visitor = await ada();
    const { revision } = await visitor.read();
    const stream = await openVisitorStream(api, channel, visitor, { query: `?after=${revision}` });
    await answer();
    await stream.untilText('Secret answer');
    expect(await mailsAfter(60)).toEqual([]);
    stream.close();
  });

  test.for<[why: string, identity: () => object]>([
    ['an address that only the page says', () => ({ ...anIdentity(channel.secret, 'ada'), email })],
    ['no address', () => anIdentity(channel.secret, 'ada')],
  ])('does not come to %s', async ([, identity]) => {
    await ada(identity());
    await answer();
    expect(await mailsAfter(60)).toEqual([]);
  });

  test.for<[why: string, change: (identity: ReturnType<typeof proven>) => object]>([
    ['of another address', (identity) => ({ ...identity, email: 'eve@example.com' })],
    ['of another person', (identity) => ({ ...identity, email_hash: proven(channel, 'eve').email_hash })],
    ['of no address', (identity) => ({ ...identity, email: null })],
    ['by another secret', (identity) => ({ ...identity, email_hash: hashEmail('x', identity) })],
  ])('is for nobody with an email_hash %s: identify is 403', async ([, change]) => {
    const answered = await aVisitor(api, channel).identify(change(proven(channel)));
    expect(answered.status).toBe(403);
    expect(await api.db`select from webchat_visitors where account_id = ${account.accountId}`).toHaveLength(0);
  });

  test('does not come after the answer of a program, nor over a channel that sends none', async () => {
    await ada();
    await answer('By a program', { key: account.apiKey });
    expect(await mailsAfter(60)).toEqual([]);
    const body = { mail_after_minutes: null };
    await api.request('PATCH', `/v1/channels/${channel.id}`, { key: account.apiKey, body });
    await answer();
    expect(await mailsAfter(60)).toEqual([]);
  });

  test.for([
    ['the page from which they wrote', `${site}/orders#top`, `${site}/orders`],
    ['the demo page, where that is none of the sites', 'https://evil.example/', 'demo'],
    ['the demo page, where no page is known', '', 'demo'],
  ] as const)('leads to %s', async ([, url, page]) => {
    await ada(proven(channel), url);
    await answer();
    const [mail] = await mailsAfter(5);
    const demo = `${api.deps.config.baseUrl}/webchat/${channel.id}/demo`;
    expect(linkOf(mail?.text)[0]).toBe(page === 'demo' ? demo : page);
  });

  test('has a token that makes one browser that of the visitor, once, and over no other channel', async () => {
    await ada();
    await answer();
    const [mail] = await mailsAfter(5);
    const [, token = ''] = linkOf(mail?.text);
    const exchange = (by: TestVisitor) => by.ask<{ visitor_token: string }>('POST', '/return', { body: { token } });
    expect((await exchange(aVisitor(api, await aWebchat(api, account)))).status).toBe(403);
    const browser = aVisitor(api, channel);
    const { status, body } = await exchange(browser);
    expect(status).toBe(200);
    browser.token = body.visitor_token;
    expect((await browser.read()).messages.map(({ text }) => text)).toEqual(['Where is my order?', 'Secret answer']);
    expect((await exchange(aVisitor(api, channel))).status).toBe(403);
    expect(JSON.stringify(await api.db`select * from mails`)).not.toContain(token);
  });

  test('has a token that is good again as long as the answer to it was lost, for the last browser alone', async () => {
    await ada();
    await answer();
    const [mail] = await mailsAfter(5);
    const [, token = ''] = linkOf(mail?.text);
    const browsers = [aVisitor(api, channel), aVisitor(api, channel)];
    for (const browser of browsers) {
      const { body } = await browser.ask<{ visitor_token: string }>('POST', '/return', { body: { token } });
      browser.token = body.visitor_token;
    }
    const [lost, last] = browsers;
    expect((await lost?.ask('GET', '/changes'))?.status).toBe(401);
    expect((await last?.read())?.messages).toHaveLength(2);
    await endTokens(api.db);
    expect((await aVisitor(api, channel).ask('POST', '/return', { body: { token } })).status).toBe(403);
  });

  test('has a link that ends them, until the site proves another address', async () => {
    const visitor = await ada();
    await answer();
    const [mail] = await mailsAfter(5);
    const [url = ''] = /https?:\S+\/unsubscribe\/vis_\S+/.exec(mail?.text ?? '') ?? [];
    expect((mail?.source ?? '').replaceAll(/\r\n[ \t]/g, ' ')).toContain(`List-Unsubscribe: <${url}>`);
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    await visitor.identify(proven(channel));
    await answer('Second');
    expect(await mailsAfter(60)).toEqual([]);
    const moved = { ...anIdentity(channel.secret, 'ada'), email: 'ada@other.example' };
    await visitor.identify({ ...moved, email_hash: hashEmail(channel.secret, moved) });
    await answer('Third');
    expect((await mailsAfter(5)).map(({ to }) => to)).toEqual(['ada@other.example']);
  });

  test.for<[when: string, order: ('end' | 'vouch for none')[]]>([
    ['before the site vouches for none', ['end', 'vouch for none']],
    ['while the site vouches for none', ['vouch for none', 'end']],
  ])('does not come to the same address again, ended %s', async ([, order]) => {
    const visitor = await ada();
    await answer();
    const [mail] = await mailsAfter(5);
    const [url = ''] = /https?:\S+\/unsubscribe\/vis_\S+/.exec(mail?.text ?? '') ?? [];
    const steps = {
      end: () => fetch(url, { method: 'POST' }),
      'vouch for none': () => visitor.identify(anIdentity(channel.secret, 'ada')),
    };
    for (const step of order) expect((await steps[step]()).status).toBe(200);
    await visitor.identify(proven(channel));
    await answer('Second');
    expect(await mailsAfter(60)).toEqual([]);
  });

  test('comes so many times an hour at most from one account, and the others later', async () => {
    for (const id of ['ada', 'bob', 'cleo']) await ada(proven(channel, id));
    const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/conversations', { key: account.apiKey });
    for (const { id } of body.data) {
      const reply = { text: 'Hi', client_ref: id };
      await api.request('POST', `/dashboard/api/conversations/${id}/messages`, {
        session: account.session,
        body: reply,
      });
    }
    await letVisitorsWait(api.db, 5);
    await mailVisitors({ transact: api.deps.transact, anHourAtMost: 2 });
    expect(await mails.deliver()).toHaveLength(2);
    const left = await api.db`
      select from visitor_waits where account_id = ${account.accountId} and due_at > clock_timestamp() + interval '9 minutes'`;
    expect(left.count).toBe(1);
  });

  test('is written once by processes that look at the same time', async () => {
    await ada();
    await answer();
    await letVisitorsWait(api.db, 5);
    await Promise.all([1, 2, 3, 4].map(() => mailVisitors({ transact: api.deps.transact })));
    expect(await mails.deliver()).toHaveLength(1);
  });
});
