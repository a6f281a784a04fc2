import { expect, test } from 'vitest';
import { simulate } from '../../../../src/shared/runs/simulator/simulate.ts';
import type { SimulatedAttachment } from '../../../../src/shared/runs/simulator/simulation.ts';
import { aField } from '../../../helpers/block-context.ts';
import type { FlowBlocks } from '../../../helpers/live-flows.ts';
import { aSimulation, simulated } from '../../../helpers/simulations.ts';

const ask = (id: string, more: object = {}) => ({ id, type: 'ask', prompt: `${id}?`, expects: 'number', ...more });
const say = (id: string, more: object = {}) => ({ id, type: 'send', messages: [{ text: id }], ...more });
const text = (said: string) => ({ type: 'text', text: said }) as const;
const after = (ms: number) => ({ type: 'after', ms }) as const;
const hour = 3_600_000;

test('the clock of the simulation decides windows and time zones', async () => {
  const blocks: FlowBlocks = [
    { id: 'wait', type: 'delay', for: 'PT1S', window: { from: '09:00', to: '17:00' } },
    say('morning'),
  ];
  const { contact } = aSimulation({});
  const waits = (timeZone: string) =>
    simulated({ blocks, contact: { ...contact, timeZone }, now: '2026-03-04T03:00:00Z' });
  expect((await waits('UTC')).wakeAt?.toISOString()).toBe('2026-03-04T09:00:00.000Z');
  expect((await waits('America/New_York')).wakeAt?.toISOString()).toBe('2026-03-04T14:00:00.000Z');
});

test('a message that nobody waits for starts the flow again by its own keyword or default reply', async () => {
  const keyword = { type: 'keyword', match: 'exact', words: ['shirt'] };
  const given = { blocks: [say('hello')], inputs: [text('shirt'), text('other')] };
  const byKeyword = await simulated({ ...given, rest: { triggers: [keyword] } });
  expect(byKeyword.routed).toMatchObject([
    { to: 'flow', run: 2, by: 'keyword' },
    { to: 'nobody', because: 'no_trigger' },
  ]);
  expect(byKeyword.messages.map(({ run }) => run)).toEqual([1, 2]);
  const byDefault = await simulated({ ...given, rest: { triggers: [{ type: 'default_reply' }] } });
  expect(byDefault.routed).toMatchObject([{ by: 'default_reply' }, { by: 'default_reply' }]);
});

test('an interrupting keyword takes the conversation, which goes back to the run that had it', async () => {
  const keyword = { type: 'keyword', match: 'exact', words: ['again'], interrupt: true };
  const { steps, messages, status } = await simulated({
    blocks: [ask('one'), say('done')],
    rest: { reentry: 'allow', triggers: [keyword] },
    inputs: [text('again'), text('1'), text('2')],
  });
  expect(status).toBe('completed');
  expect(messages.map(({ run, text: said }) => `${run} ${said}`)).toEqual(['1 one?', '2 one?', '2 done', '1 done']);
  expect(steps.map(({ run, port }) => [run, port])).toEqual([
    [1, 'answered'],
    [2, 'answered'],
    [2, 'default'],
    [1, 'default'],
  ]);
});

test('a start link starts the flow while it asks, with its payload as a parameter', async () => {
  const { routed, messages } = await simulated({
    blocks: [
      ask('one'),
      { id: 'two', type: 'send', messages: [{ text: 'from {{params.payload|default:"nowhere"}}' }] },
    ],
    rest: { reentry: 'allow', triggers: [{ type: 'start_link', payload: 'ref_', match: 'prefix' }] },
    inputs: [text('/start ref_7'), text('1'), text('/start other')],
  });
  expect(routed).toMatchObject([
    { to: 'flow', run: 2, by: 'start_link' },
    { to: 'run', run: 2 },
    { to: 'run', run: 1 },
  ]);
  expect(messages.map(({ run, text: said }) => `${run} ${said}`).slice(0, 3)).toEqual([
    '1 one?',
    '2 one?',
    '2 from ref_7',
  ]);
});

test('of several runs that were interrupted, the last one gets the conversation back first', async () => {
  const { messages, steps } = await simulated({
    blocks: [ask('one'), say('done')],
    rest: { reentry: 'allow', triggers: [{ type: 'keyword', match: 'exact', words: ['again'], interrupt: true }] },
    inputs: [text('again'), text('again'), text('1'), text('2')],
  });
  expect(messages.map(({ run, text: said }) => `${run} ${said}`).slice(3)).toEqual(['3 done', '2 done']);
  expect(steps.find(({ run }) => run === 1)?.port).toBeNull();
});

test('STOP ends the run as cancelled, and nothing is sent afterwards', async () => {
  const stopped = await simulated({ blocks: [ask('one'), say('done')], inputs: [text('stop'), text('1')] });
  expect(stopped).toMatchObject({ status: 'cancelled', reason: 'unsubscribed' });
  expect(stopped.routed).toMatchObject([{ to: 'consent' }, { to: 'nobody', because: 'unsubscribed' }]);
});

test('an event goes to the block that waits for it, and a tag is on the contact then', async () => {
  const wait = {
    id: 'wait',
    type: 'wait_event',
    event: 'tag_applied',
    rules: [{ field: 'event.tag.name', op: 'is', value: 'vip' }],
  };
  const tag = (name: string) => ({ type: 'event', name: 'tag_applied', data: { tag: { name } } }) as const;
  const { steps, contact } = await simulated({ blocks: [wait, say('done')], inputs: [tag('other'), tag('vip')] });
  expect(steps.map(({ port }) => port)).toEqual(['received', 'default']);
  expect(contact.tags).toEqual(['other', 'vip']);
});

test('a handover silences the flow until it has ended', async () => {
  const people = { id: 'people', type: 'handover', reason: 'Help', wait: false };
  const blocks: FlowBlocks = [people, say('after')];
  expect(await simulated({ blocks })).toMatchObject({ status: 'waiting', waiting: 'silence', messages: [] });
  const resolved = await simulated({ blocks, inputs: [{ type: 'handover_ended', status: 'resolved' }] });
  expect(resolved).toMatchObject({ status: 'completed', messages: [{ text: 'after' }] });
});

test('a flow that is started is told and not walked; the run waits until it is said to have ended', async () => {
  const flowId = 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn';
  const start = { id: 'start', type: 'start_flow', flow_id: flowId, mode: 'child', params: { a: 1 } };
  const given = { blocks: [start, say('after')], targets: { [flowId]: null } };
  expect(await simulated(given)).toMatchObject({
    waiting: 'child',
    startedFlows: [{ blockId: 'start', flowId, mode: 'child', params: { a: 1 } }],
  });
  const ended = await simulated({ ...given, inputs: [{ type: 'child_ended', status: 'completed' }] });
  expect(ended.status).toBe('completed');
  const refused = await simulated({ ...given, targets: { [flowId]: 'flow_paused' } });
  expect(refused).toMatchObject({ status: 'failed', reason: 'flow_paused', startedFlows: [] });
});

const request = {
  id: 'call',
  type: 'external_request',
  method: 'GET',
  url: 'https://shop.example/',
  mapping: [{ path: '$.left', field: 'left' }],
  next: { error: 'failed', timeout: 'slow' },
};
const blocks: FlowBlocks = [
  request,
  say('ok', { next: { default: null } }),
  say('failed', { next: { default: null } }),
  say('slow'),
];
const fields = [aField('left', 'number')];

test('attempts follow the ladder of a run, and their waits pass on the simulation’s clock', async () => {
  const { requests, now } = await simulated({ blocks, fields, mocks: { call: { status: 503 } } });
  const started = Date.parse('2026-03-04T10:00:00Z');
  expect(requests.map(({ attempt, sentAt, port }) => [attempt, sentAt.getTime() - started, port])).toEqual([
    [1, 0, null],
    [2, 1_000, null],
    [3, 3_000, 'error'],
  ]);
  expect(now.getTime() - started).toBe(3_000);
  const late = await simulated({ blocks, fields, mocks: { call: { timeout: true } } });
  expect(late.steps.map(({ blockId }) => blockId)).toEqual(['call', 'slow']);
  expect(late.now.getTime() - started).toBe(3 * 10_000 + 3_000);
});

test('Retry-After is followed on the simulation’s clock, as seconds and as a date', async () => {
  const headers = [{ 'Retry-After': '60' }, { 'Retry-After': 'Wed, 04 Mar 2026 10:02:00 GMT' }];
  const attempts = [...headers.map((one) => ({ status: 503, headers: one })), { status: 200, body: { left: 1 } }];
  const { requests, contact } = await simulated({ blocks, fields, mocks: { call: [attempts] } });
  expect(requests.map(({ sentAt }) => sentAt.toISOString().slice(11, 19))).toEqual([
    '10:00:00',
    '10:01:00',
    '10:02:00',
  ]);
  expect(contact.fields).toEqual({ left: 1 });
});

test('each visit takes its own mock, and one more visit waits for one', async () => {
  const loop: FlowBlocks = [request, ask('more', { next: { answered: 'call' } }), say('failed'), say('slow')];
  const mocks = {
    call: [
      { status: 200, body: { left: 1 } },
      { status: 200, body: { left: 2 } },
    ],
  };
  const first = await simulated({ blocks: loop, fields, mocks, inputs: [text('1')] });
  expect(first.contact.fields).toEqual({ left: 2 });
  const second = await simulated({ blocks: loop, fields, mocks, inputs: [text('1'), text('1')] });
  expect(second).toMatchObject({ waiting: 'mock', blockId: 'call' });
});

test('a request for each item takes a mock for each round, and gives lists', async () => {
  const each = { ...request, url: 'https://shop.example/{{item}}', for_each: { items: '{{params.items}}' } };
  const list = aField('list', 'json');
  const answer = (left: number, status = 200) => ({ status, body: { left } });
  const given = {
    blocks: [{ ...each, mapping: [{ path: '$.left', field: 'list' }] }, ...blocks.slice(1)],
    fields: [list],
    params: { items: ['a', 'b', 'c'] },
  };
  const { requests, contact, steps } = await simulated({
    ...given,
    mocks: { call: [answer(1), answer(2), answer(3)] },
  });
  expect(requests.map(({ itemIndex, url, port }) => [itemIndex, url, port])).toEqual([
    [0, 'https://shop.example/a', 'success'],
    [1, 'https://shop.example/b', 'success'],
    [2, 'https://shop.example/c', 'success'],
  ]);
  expect(contact.fields).toEqual({ list: [1, 2, 3] });
  const failing = await simulated({ ...given, mocks: { call: [answer(1), answer(2, 404)] } });
  expect(failing.steps[0]).toMatchObject({ port: 'error', reason: 'status_404' });
  expect(failing.contact.fields).toEqual({ list: [1, null] });
  const short = await simulated({ ...given, mocks: { call: [answer(1)] } });
  expect(short).toMatchObject({ waiting: 'mock', blockId: 'call' });
  expect(short.requests.map(({ itemIndex }) => itemIndex)).toEqual([0, 1]);
  expect(steps[0]).toMatchObject({ port: 'success' });
});

test('a request with a credential that is not for its host fails as in a run, and needs no mock', async () => {
  const shop = { name: 'shop', type: 'bearer', param: null, hosts: ['other.example'] } as const;
  const secured: FlowBlocks = [{ ...request, credential: 'shop' }, ...blocks.slice(1)];
  const { requests, steps } = await simulated({ blocks: secured, fields, credentials: [shop] });
  expect(requests).toMatchObject([{ reason: 'credential', port: 'error' }]);
  expect(steps.map(({ blockId }) => blockId)).toEqual(['call', 'failed']);
});

test('the same seed sends a contact the same way through a split, and another may go another way', async () => {
  const split: FlowBlocks = [{ id: 'split', type: 'split', weights: { a: 1, b: 1 }, next: { a: null, b: null } }];
  const { contact } = aSimulation({});
  const portOf = async (id: string) => (await simulated({ blocks: split, contact: { ...contact, id } })).steps[0]?.port;
  const ids = Array.from({ length: 20 }, (_, index) => `con_${index}`);
  const ports = await Promise.all(ids.map(portOf));
  expect(new Set(ports)).toEqual(new Set(['a', 'b']));
  expect(await Promise.all(ids.map(portOf))).toEqual(ports);
});

test('a simulation may begin at any block', async () => {
  const { messages } = await simulated({ blocks: [ask('one'), say('two')], start: 'two' });
  expect(messages.map(({ text: said }) => said)).toEqual(['two']);
});

test('a flow that computes for too long is ended with what it has done', async () => {
  const slow: FlowBlocks = [
    say('first'),
    { id: 'wait', type: 'delay', for: 'PT1S' },
    { id: 'loop', type: 'goto', block: 'wait' },
  ];
  const outcome = await simulate(aSimulation({ blocks: slow, inputs: [after(hour)] }), { cpuMs: 0 });
  expect(outcome).toMatchObject({ type: 'done', result: { waiting: 'limit', reason: 'time_limit' } });
});

test('two runs of the same contact wait for their timers in order', async () => {
  const { messages } = await simulated({
    blocks: [{ id: 'wait', type: 'delay', for: 'PT1H' }, say('done')],
    rest: { reentry: 'allow', triggers: [{ type: 'keyword', match: 'exact', words: ['go'] }] },
    inputs: [after(hour / 2), text('go'), after(2 * hour)],
  });
  expect(messages.map(({ run, sentAt }) => `${run} ${sentAt.toISOString().slice(11, 16)}`)).toEqual([
    '1 11:00',
    '2 11:30',
  ]);
});

const shares = (...attachments: SimulatedAttachment[]) => ({ type: 'text', text: '', attachments }) as const;

test('takes an attachment for the answer to an ask that expects it, and tells its parts', async () => {
  const { messages, status } = await simulated({
    blocks: [
      ask('image', { expects: 'image', retry_text: 'A photo, please' }),
      ask('location', { expects: 'location' }),
      say('done', { messages: [{ text: '{{reply.attachment.latitude}} / {{reply.attachment.longitude}}' }] }),
    ],
    inputs: [
      text('no'),
      shares({ type: 'image', name: 'cat.jpg' }),
      shares({ type: 'location', latitude: 52.52, longitude: 13.405 }),
    ],
  });
  expect(messages.map(({ text: said }) => said)).toEqual(['image?', 'A photo, please', 'location?', '52.52 / 13.405']);
  expect(status).toBe('completed');
});
