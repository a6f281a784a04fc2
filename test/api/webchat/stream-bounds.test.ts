import { expect, onTestFinished, test } from 'vitest';
import type { StreamBounds } from '../../../src/api/webchat/stream-places.ts';
import { parseTrustProxy, trustsNobody, type TrustsProxy } from '../../../src/shared/platform/trust-proxy.ts';
import { startApi, type TestAccount, type TestApi } from '../../helpers/api.ts';
import { openVisitorStream, type TestVisitorStream } from '../../helpers/webchat/visitor-stream.ts';
import { aVisitor, aWebchat, type TestVisitor, type TestWebchat } from '../../helpers/webchat/visitor.ts';

let api: TestApi;
let account: TestAccount;
let channel: TestWebchat;

/** A process behind a proxy, an account, and a webchat. */
const begin = async (bounds?: StreamBounds, trustProxy: TrustsProxy = parseTrustProxy('1')): Promise<void> => {
  api = await startApi({ config: { trustProxy }, visitors: { ...(bounds && { bounds }) } });
  onTestFinished(() => api.stop());
  account = await api.createAccount();
  channel = await aWebchat(api, account);
};

let addresses = 0;
const anAddress = (): string => `198.51.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;

type Somebody = { visitor: TestVisitor; at: TestWebchat; address: string };

/** A visitor who has written, at an address of their own unless given. */
const somebody = async (at = channel, address = anAddress()): Promise<Somebody> => {
  const visitor = aVisitor(api, at, { address });
  await visitor.say('Hello');
  return { visitor, at, address };
};

const open = async ({ visitor, at, address }: Somebody): Promise<TestVisitorStream> => {
  const { revision } = await visitor.read();
  const stream = await openVisitorStream(api, at, visitor, { query: `?after=${revision}`, address });
  onTestFinished(stream.close);
  return stream;
};

const openMany = async (count: number, at?: TestWebchat): Promise<TestVisitorStream[]> => {
  const streams: TestVisitorStream[] = [];
  for (let nth = 0; nth < count; nth += 1) streams.push(await open(await somebody(at)));
  return streams;
};
/** Does it for all, ten at a time: an account reads no more at once without waiting. */
const tenAtATime = async <One, Made>(all: readonly One[], act: (one: One) => Promise<Made>): Promise<Made[]> => {
  const made: Made[] = [];
  for (let at = 0; at < all.length; at += 10) made.push(...(await Promise.all(all.slice(at, at + 10).map(act))));
  return made;
};
const statuses = (streams: readonly TestVisitorStream[]) => streams.map(({ status }) => status);

/** The words that its client gets, and when it may come again. */
const refusal = ({ status, text, headers }: TestVisitorStream) => ({
  status,
  message: text(),
  again: headers['retry-after'],
});

test('a visitor has six streams, and one that is closed makes room', async () => {
  await begin();
  const ada = await somebody();
  const streams = [];
  for (let nth = 0; nth < 6; nth += 1) streams.push(await open(ada));
  const refused = await open(ada);
  await refused.ended;
  expect(refusal(refused)).toEqual({ status: 429, message: expect.stringContaining('chats of yours'), again: '5' });
  streams[0]?.close();
  await expect.poll(async () => (await open(ada)).status, { timeout: 10_000 }).toBe(200);
});

test('an office of 100 people with two browsers each has its streams, and a crowd has 250', async () => {
  await begin();
  const people = await tenAtATime(Array(100).fill('203.0.113.5'), (address: string) => somebody(channel, address));
  const office = await tenAtATime([...people, ...people], open);
  expect(new Set(statuses(office))).toEqual(new Set([200]));
  const crowd = await tenAtATime(people, open);
  expect(crowd.filter(({ status }) => status === 200).length).toBe(50);
  const refused = crowd.find(({ status }) => status === 429);
  await refused?.ended;
  expect(refused && refusal(refused)).toEqual({
    status: 429,
    message: expect.stringContaining('in your network'),
    again: '5',
  });
  expect((await open(await somebody())).status).toBe(200);
});

test('addresses that no trusted proxy vouches for make no more room', async () => {
  await begin({ ofProcess: 8, ofNetwork: 2, ofVisitor: 2 }, trustsNobody);
  expect(statuses(await openMany(3))).toEqual([200, 200, 429]);
});

const small: StreamBounds = { ofProcess: 4, ofNetwork: 4, ofVisitor: 2 };

test('a new account gets half of a full process, and who made room reads on by `changes`', async () => {
  await begin(small);
  const first = await somebody();
  const given = await open(first);
  const theirs = [given, ...(await openMany(3))];
  expect(statuses(theirs)).toEqual([200, 200, 200, 200]);
  const modest = await aWebchat(api, await api.createAccount());
  expect(statuses(await openMany(2, modest))).toEqual([200, 200]);
  await Promise.all([given.ended, theirs[1]?.ended]);
  const back = await open(first);
  await back.ended;
  expect(refusal(back)).toEqual({ status: 503, message: expect.stringContaining('Too many chats'), again: '5' });
  await first.visitor.say('Anybody?');
  expect((await first.visitor.read()).messages.map(({ text }) => text)).toContain('Anybody?');
});

test('a new channel gets half of what its account has, and nothing of another account', async () => {
  await begin(small);
  const neighbour = await aWebchat(api, await api.createAccount());
  const reader = await somebody(neighbour);
  const kept = await open(reader);
  const [given] = await openMany(3);
  const second = await aWebchat(api, account);
  expect(statuses(await openMany(2, second))).toEqual([200, 503]);
  await given?.ended;
  await reader.visitor.say('Still here');
  await kept.untilText('Still here');
});

test('a stream that ends gives its place back, and one that was ended gives no second one', async () => {
  await begin(small);
  const theirs = await openMany(4);
  const [taken] = await openMany(1, await aWebchat(api, await api.createAccount()));
  await theirs[0]?.ended;
  taken?.close();
  const next = await somebody();
  await expect.poll(async () => (await open(next)).status, { timeout: 10_000 }).toBe(200);
  expect((await open(await somebody())).status).toBe(503);
});
