import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { duplexPair } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createVisitorStreams } from '../../../src/api/webchat/visitor-streams.ts';
import { threadOf } from '../../../src/api/webchat/visits.ts';
import { readId, showId } from '../../../src/shared/ids.ts';
import { findVisit } from '../../../src/shared/messages/webchat/find-visit.ts';
import { hashToken } from '../../../src/shared/platform/secrets/tokens.ts';
import { startApi, type TestAccount, type TestApi, useApi } from '../../helpers/api.ts';
import { within } from '../../helpers/stream.ts';
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

const api = await useApi({ visitors: { lookEveryMs: 50, checkEveryMs: 50, heartbeatEveryMs: 100 } });
let account: TestAccount;
let channel: TestWebchat;
let visitor: TestVisitor;
beforeEach(async () => {
  ({ account, channel, visitor } = await aChat(api));
});

const as = <Body>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, `/v1${path}`, { key: account.apiKey, body });

const open = async (of: Pick<TestVisitor, 'token'> = visitor, query = '', at: TestApi = api, to = channel) => {
  const stream = await openVisitorStream(at, to, of, { query });
  onTestFinished(stream.close);
  return stream;
};
const contactId = async (): Promise<string> => {
  const [contact] = await api.db<{ id: string }[]>`
    select id from contacts where account_id = ${account.accountId} order by id desc limit 1`;
  return showId('contact', contact?.id ?? '');
};
const reply = async (text: string) => as('POST', `/contacts/${await contactId()}/messages`, { text });

describe('the stream of a visitor', () => {
  test('shows what the account writes and what other tabs write, as `changes` would', async () => {
    await visitor.say('Hello');
    const before = await visitor.read();
    const stream = await open(visitor, `?after=${before.revision}&conversation=${before.conversation?.id}`);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'access-control-allow-origin': site,
      'cache-control': 'no-store',
    });
    await reply('Which size?');
    await stream.untilText('Which size?');
    await visitor.say('M');
    await stream.untilText('M');
    const { has_more: _, ...last } = await visitor.read(`?after=${before.revision}`);
    const streamed = stream.changes().flatMap(({ messages }) => messages);
    expect(new Map(streamed.map((message) => [message.id, message]))).toEqual(
      new Map(last.messages.map((message) => [message.id, message])),
    );
    expect(stream.changes().at(-1)).toMatchObject({ revision: last.revision, conversation: last.conversation });
  });

  test('resumes after a revision: nothing is missing and nothing comes twice', async () => {
    await visitor.say('one');
    const { revision } = await visitor.read();
    await reply('two');
    const first = await open(visitor, `?after=${revision}`);
    await first.untilText('two');
    const at = first.changes().at(-1)?.revision;
    first.close();
    await reply('three');
    const second = await open(visitor, `?after=${at}`);
    await second.untilText('three');
    expect(second.changes().flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(['three']);
  });

  test('of another conversation, or of a later revision than there is, says to read everything again', async () => {
    await visitor.say('Hello');
    for (const query of ['?after=999', `?after=1&conversation=${showId('conversation', randomUUID())}`]) {
      const stream = await open(visitor, query);
      expect((await stream.until(({ event }) => event === 'reset')).body).toEqual({});
      await stream.ended;
    }
  });

  test('says to read everything again when the talk goes on in another conversation, whoever begins it', async () => {
    await visitor.say('Hello');
    for (const begin of [() => visitor.say('Anybody?'), () => reply('We are back')]) {
      const { revision, conversation } = await visitor.read();
      const stream = await open(visitor, `?after=${revision}`);
      await as('POST', `/conversations/${conversation?.id}/close`);
      await stream.until(({ body }) => body.conversation?.status === 'closed');
      await begin();
      expect((await stream.until(({ event }) => event === 'reset')).body).toEqual({});
    }
  });

  test('of somebody who has not written yet says so when that begins on another device', async () => {
    const [here, there] = [aVisitor(api, channel), aVisitor(api, channel)];
    await here.identify(anIdentity(channel.secret, 'ada'));
    await there.identify(anIdentity(channel.secret, 'ada'));
    const stream = await open(here);
    expect(stream.status).toBe(200);
    await there.say('Hello');
    await stream.until(({ event }) => event === 'reset');
  });

  test('shows no notes, no failed messages, and nothing of another visitor', async () => {
    await visitor.say('Hello');
    const { conversation, revision } = await visitor.read();
    const stream = await open(visitor, `?after=${revision}`);
    const other = aVisitor(api, channel);
    await other.say('I am somebody else');
    await as('POST', `/conversations/${conversation?.id}/notes`, { text: 'Difficult customer' });
    await visitor.say('Still here');
    await stream.untilText('Still here');
    expect(stream.text()).not.toMatch(/Difficult|somebody else/);
  });

  test('has a sign of life again and again', async () => {
    await visitor.say('Hello');
    const stream = await open();
    await expect.poll(() => stream.text().split('\n:\n').length, { timeout: 10_000 }).toBeGreaterThan(3);
  });

  test.for([
    ['the channel is deleted', () => as('DELETE', `/channels/${channel.id}`)],
    ['its site is no more among the origins', () => as('PATCH', `/channels/${channel.id}`, { origins: [] })],
    ['an identity is required', () => as('PATCH', `/channels/${channel.id}`, { require_identity: true })],
  ] as const)('ends when %s', async ([, change]) => {
    await visitor.say('Hello');
    const stream = await open();
    await change();
    await stream.ended;
    expect((await open()).status).not.toBe(200);
  });

  test('goes on when another site is taken off the origins', async () => {
    await as('PATCH', `/channels/${channel.id}`, { origins: [site, 'https://other.example'] });
    await visitor.say('Hello');
    const stream = await open();
    await as('PATCH', `/channels/${channel.id}`, { origins: [site] });
    expect(await within(300, stream.ended)).toBe(false);
    await reply('Fine');
    await stream.untilText('Fine');
  });
});

describe('streams of visitors end:', () => {
  test('a client that does not read is dropped, and another tab of the visitor goes on', async () => {
    await visitor.say('Hello');
    const quick = await open(visitor);
    const own = createVisitorStreams({ ...api.visitorDeps, unreadBytes: 1_024 });
    onTestFinished(() => own.stop());
    const response = await unreadResponse();
    const dropped = once(response, 'close');
    const owner = await ownerOf(visitor);
    await own.open(response, owner, { after: 0, conversationId: undefined });
    for (const nth of [1, 2, 3]) await reply('x'.repeat(2_000) + nth);
    await dropped;
    await reply('the end');
    await quick.untilText('the end');
    expect(quick.status).toBe(200);
  });

  test('none begins while the process stops, and those that are open end', async () => {
    const own = await startApi();
    const at = await aWebchat(own, await own.createAccount());
    const talker = aVisitor(own, at);
    await talker.say('Hello');
    const stream = await open(talker, '', own, at);
    expect(stream.status).toBe(200);
    await own.stop();
    await stream.ended;
  });
});

/** A request whose answer its client does not read, over a connection that takes nothing: a kernel takes megabytes. */
const unreadResponse = async (): Promise<ServerResponse> => {
  const [client, connection] = duplexPair({ highWaterMark: 1 });
  const server = createServer();
  server.emit('connection', connection);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response]: ServerResponse[] = await once(server, 'request');
  if (!response) throw new Error('no request');
  onTestFinished(() => void connection.destroy());
  return response;
};

/** Whose stream it is, as a request says it. */
const ownerOf = async ({ token }: TestVisitor) => {
  const asked = { id: readId('channel', channel.id), tokenHash: hashToken(token ?? '') };
  const visit = await findVisit(api.db, asked);
  if (!visit?.visitor) throw new Error('no visitor');
  const { channel: of, visitor: who } = visit;
  const { id: visitorId, externalId } = who;
  const thread = threadOf(of, who);
  return { channel: of, visitorId, network: '', externalId, isIdentified: false, of: thread, origin: site, host: '' };
};
