import { expect, test } from 'vitest';
import { asMock } from '../../src/web/pages/flows/phone/answers.ts';
import { proposeAnswer, readPlace } from '../../src/web/pages/flows/phone/propose-answer.ts';
import { durationOf } from '../../src/web/pages/flows/phone/say.ts';
import {
  addInput,
  answerOf,
  answerRequest,
  mostInputs,
  newSession,
  readStored,
  restart,
  simulationOf,
  type Answer,
} from '../../src/web/pages/flows/phone/session.ts';
import { findParting, tellAll } from '../../src/web/pages/flows/phone/transcript.ts';
import { aSimulationResult } from './helpers/simulation-result.ts';

const now = new Date('2026-03-04T10:00:00Z');
const session = newSession(now, 7);
const success: Answer = { how: 'success', mock: { status: 200, body: { left: 1 } } };
const missing: Answer = { how: 'not_found', mock: { status: 404 } };
const real: Answer = { how: 'real', mock: { status: 201, body: '{}' } };
const mocksOf = (given: typeof session) => simulationOf(given, undefined).mocks;

test('a chosen response holds for all requests of its block, and a later one from its request on', () => {
  const first = answerRequest(session, 'stock', 1, success);
  expect(mocksOf(first)).toEqual({ stock: success.mock });
  const later = answerRequest(first, 'stock', 3, missing);
  expect([mocksOf(later)['stock']].flat().slice(0, 4)).toEqual([
    success.mock,
    success.mock,
    missing.mock,
    missing.mock,
  ]);
  expect([1, 2, 3, 9].map((visit) => answerOf(later, 'stock', visit)?.how)).toEqual([
    'success',
    'success',
    'not_found',
    'not_found',
  ]);
  expect(mocksOf(answerRequest(later, 'stock', 1, missing))).toEqual({ stock: missing.mock });
});

test('a real response holds for its request alone', () => {
  const asked = answerRequest(session, 'stock', 1, real);
  expect(mocksOf(asked)).toEqual({ stock: [real.mock] });
  expect(answerOf(asked, 'stock', 2)).toBeUndefined();
});

test('a conversation takes 200 inputs, and starting over keeps its contact and responses', () => {
  let full = answerRequest(session, 'stock', 1, success);
  for (let count = 0; count <= mostInputs; count += 1) full = addInput(full, { text: String(count) });
  expect(full.inputs).toHaveLength(mostInputs);
  const later = new Date('2026-03-05T10:00:00Z');
  expect(restart(full, later)).toEqual({ ...full, inputs: [], now: later.toISOString() });
});

test('what a scenario keeps of a conversation is read as the same conversation', () => {
  const talked = addInput(answerRequest(session, 'stock', 1, success), { text: 'M' });
  const kept = simulationOf(talked, undefined);
  expect(simulationOf(readStored(kept, { now: new Date(), seed: 1 }), undefined)).toEqual(kept);
  for (const broken of [{}, { inputs: 7, mocks: [1], contact: null, params: 'x', now: 3 }])
    expect(simulationOf(readStored(broken, { now, seed: 7 }), undefined)).toEqual(simulationOf(session, undefined));
});

test('responses of blocks that are no requests any more are left out', () => {
  const talked = answerRequest(answerRequest(session, 'stock', 1, success), 'gone', 1, success);
  const definition = { blocks: [{ id: 'stock', type: 'external_request' }] };
  expect(simulationOf(talked, definition).mocks).toEqual({ stock: success.mock });
});

test('a response is proposed in which every mapping finds a value of its field’s type', () => {
  const mapping = [
    { path: '$.items[0].left', field: 'left' },
    { path: 'customer.email', field: 'email' },
    { path: "$['a b'].c", field: 'note' },
    { path: '$headers.x-trace', field: 'trace' },
    { path: '$status', field: 'code' },
    { path: '$.order.state', field: 'order_status' },
    { path: '$..deep', field: 'note' },
    { path: '$.__proto__.x', field: 'note' },
    { path: '$.list[999999999]', field: 'note' },
    null,
    { path: 3 },
  ];
  const typeOf = (key: string) => (key === 'left' ? 'number' : undefined);
  const { status, body, ...rest } = proposeAnswer({ mapping }, typeOf);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    items: [{ left: 1 }],
    customer: { email: 'ada@example.com' },
    order: { state: 'shipped' },
    'a b': { c: 'sample note' },
  });
  expect(rest).toEqual({ headers: { 'x-trace': 'sample trace' } });
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect(proposeAnswer(undefined, typeOf)).toEqual({ status: 200, body: {} });
});

test('paths that lead to one place are read, and no others', () => {
  expect(readPlace('$.a[1].b')).toEqual(['a', 1, 'b']);
  expect(readPlace('a.0.b')).toEqual(['a', 0, 'b']);
  expect(readPlace('$.a[*]')).toBeUndefined();
  expect(readPlace('$..a')).toBeUndefined();
  expect(readPlace('$.a[?(@.b)]')).toBeUndefined();
});

test('a real response becomes a mock, also one that never came', () => {
  const answered = { status_code: 200, response_headers: { a: ['1', '2'] }, response_body: '{}', reason: null };
  expect(asMock(answered)).toEqual({ status: 200, headers: { a: '1, 2' }, body: '{}' });
  const failed = { status_code: null, response_headers: null, response_body: null };
  expect(asMock({ ...failed, reason: 'timeout' })).toEqual({ timeout: true });
  expect(asMock({ ...failed, reason: 'dns' })).toEqual({ fails: 'dns' });
  expect(asMock({ ...failed, reason: 'refused_address' })).toEqual({ fails: 'connect' });
});

const at = now.toISOString();
const says = (order: number, text: string) => ({
  order,
  run: 1,
  block_id: 'b',
  text,
  image_url: null,
  attachments: [],
  quick_replies: [],
  sent_at: at,
});
const empty = aSimulationResult();
const taken = (order: number) => ({ order, at, to: 'run' as const, run: 1, by: null, because: null });
const field = (order: number, name: string) => ({
  order,
  run: 1,
  block_id: 'b',
  type: 'field' as const,
  name,
  value: 1,
});

test('a conversation keeps its order, changes of a block together and untaken inputs last', () => {
  const simulation = {
    ...empty,
    messages: [says(1, 'a'), says(6, 'b')],
    inputs: [taken(2)],
    changes: [field(3, 'x'), field(4, 'y')],
  };
  const told = tellAll(simulation, [{ text: 'one' }, { text: 'two' }]);
  expect(told.map((entry) => entry.type)).toEqual(['says', 'input', 'changes', 'says', 'input']);
  expect(told[2]).toMatchObject({ changes: [{ name: 'x' }, { name: 'y' }] });
  expect(told[4]).toMatchObject({ index: 1, taken: undefined });
});

test('two conversations part at the first entry that is another one, or that one of them lacks', () => {
  const tell = (...texts: string[]) =>
    tellAll({ ...empty, messages: texts.map((text, index) => says(index + 1, text)) }, []);
  expect(findParting(tell('a', 'b'), tell('a', 'b'))).toBeUndefined();
  expect(findParting(tell('a', 'b'), tell('a', 'c'))).toBe(1);
  expect(findParting(tell('a', 'b'), tell('a'))).toBe(1);
  expect(findParting(tell('a'), tell('a', 'b'))).toBe(1);
});

test('a span to skip is a whole number of seconds, of one second to a year', () => {
  expect([durationOf(1_200), durationOf(0), durationOf(1e15)]).toEqual(['PT2S', 'PT1S', 'PT31536000S']);
});
