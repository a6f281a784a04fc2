import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { TellTopics } from '../../../src/shared/facts/topics.ts';
import { createApiKey } from '../../../src/shared/accounts/api-keys.ts';
import { startApi } from '../../helpers/api.ts';
import { startFlowWorld } from '../../helpers/flow-world.ts';
import { flowCalls } from '../../helpers/flows.ts';
import { showTimePassed } from '../../helpers/states/runs.ts';
import { untold } from '../../helpers/untold.ts';
import { listenToTyping } from '../../helpers/webchat/visitor-stream.ts';
import { aVisitor, aWebchat, type TestVisitor, type TestWebchat } from '../../helpers/webchat/visitor.ts';

let tell: TellTopics = () => {};
const world = await startFlowWorld({ passes: () => true, tellTopics: (...told) => tell(...told) });
const api = await startApi({ world, visitors: { lookEveryMs: 30 } });
tell = api.deps.tellTopics;
afterAll(async () => {
  await api.stop();
  await world.stop();
});
const { value: apiKey } = await createApiKey(untold(world.db), world.accountId, 'Shop');
const as = <Body>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, `/v1${path}`, { key: apiKey, body });

let channel: TestWebchat;
let visitor: TestVisitor;
beforeEach(async () => {
  channel = await aWebchat(api, { apiKey });
  visitor = aVisitor(api, channel);
});

const nobody = { bot: false, agent: false };
const bot = { bot: true, agent: false };
const request = { type: 'external_request', method: 'GET', url: 'https://shop.example/stock' };
const moment = { type: 'delay', for: 'PT5S' };
const hour = { type: 'delay', for: 'PT1H' };

/** A live flow that begins with this word, does this, and says something. */
const live = async (word: string, block: object): Promise<string> => {
  const { id, version } = await flowCalls(api, { apiKey }).createLive({
    schema_version: 1,
    start: 'work',
    triggers: [{ type: 'keyword', words: [word] }],
    blocks: [
      { id: 'work', ...block },
      { id: 'done', type: 'send', messages: [{ text: 'Done' }] },
    ],
  });
  expect(version).toBe(1);
  return id;
};

const contactId = async (): Promise<string> => {
  const { conversation } = await visitor.read();
  return (await as<{ contact_id: string }>('GET', `/conversations/${conversation?.id}`)).body.contact_id;
};

const runOf = async (): Promise<string> =>
  (await as<{ data: { id: string }[] }>('GET', `/runs?contact_id=${await contactId()}`)).body.data[0]?.id ?? '';

const listen = async () => {
  const stream = await listenToTyping(api, channel, visitor);
  onTestFinished(stream.close);
  return stream;
};

test.for([
  ['asks another service', request],
  ['waits for a moment', moment],
] as const)('a flow that %s types, and no more once its run has ended', async ([what, block]) => {
  await live(what, block);
  await visitor.say(what);
  expect((await visitor.read()).typing).toEqual(bot);
  const stream = await listen();
  await stream.untilTyping(bot);
  expect((await as('POST', `/runs/${await runOf()}/cancel`)).status).toBe(200);
  await stream.untilTyping(nobody);
  expect((await visitor.read()).typing).toEqual(nobody);
});

test('a flow that waits for an hour does not type', async () => {
  await live('hour', hour);
  await visitor.say('hour');
  const stream = await listen();
  await stream.untilTyping(nobody);
  expect(stream.text()).not.toContain('"bot":true');
});

test('a flow that begins without a message of the conversation types as well', async () => {
  const flow = await live('later', request);
  await visitor.say('Hello');
  const stream = await listen();
  await stream.untilTyping(nobody);
  expect((await as('POST', `/contacts/${await contactId()}/flows`, { flow_id: flow })).status).toBe(201);
  await stream.untilTyping(bot);
});

test('a flow types no more when an agent takes the contact over', async () => {
  await live('angry', request);
  await visitor.say('angry');
  const stream = await listen();
  await stream.untilTyping(bot);
  const handover = { contact_id: await contactId(), reason: 'Angry' };
  expect((await as('POST', '/handovers', handover)).status).toBe(200);
  await stream.untilTyping(nobody);
});

test('a flow that has been at it for a minute, because nobody answers, types no more', async () => {
  await live('slow', request);
  await visitor.say('slow');
  const stream = await listen();
  await stream.untilTyping(bot);
  await showTimePassed(world.db, await runOf(), 61);
  await stream.untilTyping(nobody);
  expect((await visitor.read()).typing).toEqual(nobody);
});
