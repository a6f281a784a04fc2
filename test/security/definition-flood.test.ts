import { expect, test } from 'vitest';
import { createFlow } from '../../src/shared/flows/manage.ts';
import { showId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { aDefinition } from '../helpers/definitions.ts';
import { longestTurn } from './longest-turn.ts';
import { reportAttack } from './report.ts';
import { untold } from '../helpers/untold.ts';

const api = await useApi();
const { apiKey: key, accountId } = await api.createAccount();

const largestAnswerBytes = 1024 * 1024;
const longestBlockMs = 250;

const many = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
const keys = (count: number) => Object.fromEntries(many(count, (n) => [`key${n}`, 1]));

const send = (n: number, text: string) => ({ id: `b${n}`, type: 'send', messages: [{ text }] });
const matches = { field: 'size', op: 'matches', value: `(a{1,50}){1,20}${'(b|c)*'.repeat(25)}` };

const definitions: Record<string, object> = {
  placeholders: aDefinition(many(500, (n) => send(n, many(170, (m) => `{{x${n}_${m}}}`).join('')))),
  braces: aDefinition(many(200, (n) => send(n, '{{'.repeat(2_500)))),
  'long names': aDefinition(many(500, (n) => send(n, `{{${'a'.repeat(1_900)}}}`))),
  'unknown keys': aDefinition([{ ...send(0, 'Hello'), ...keys(24_000) }]),
  'unknown parts': { ...aDefinition([send(0, 'Hello')]), ...keys(24_000) },
  'wrong blocks': aDefinition(many(24_000, () => ({}))),
  'a circle': aDefinition(many(500, (n) => ({ id: `b${n}`, type: 'goto', block: `b${(n + 1) % 500}` }))),
  'one id': aDefinition(many(500, () => ({ id: 'b0', type: 'goto', block: 'b0' }))),
  'regular expressions': aDefinition(
    many(400, (n) => ({ id: `b${n}`, type: 'condition', rules: many(8, () => matches), next: { false: null } })),
  ),
  paths: aDefinition(
    many(250, (n) => ({
      id: `b${n}`,
      type: 'external_request',
      method: 'GET',
      url: 'https://a.example/',
      mapping: many(20, () => ({ path: `$${'[?@.a>1]'.repeat(15)}`, field: 'size' })),
    })),
  ),
  misspellings: aDefinition(
    many(500, (n) => ({ id: `b${n}`, type: 'clear_field', field: `field_that_is_not_there_${n}` })),
  ),
};

test('a definition that is costly to check is checked in few bytes and little time', async () => {
  let [largest, longest] = [0, 0];
  const through: unknown[] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    const body = JSON.stringify({ name: 'Flood', definition });
    expect(body.length).toBeLessThan(1_100_000);
    const created = await longestTurn(api.request<{ id: string }>('POST', '/v1/flows', { key, body }));
    expect([name, created.result.status]).toEqual([name, 201]);
    const { id } = created.result.body;
    // Twice, for a collection of garbage is not this definition's: the better one is.
    const publish = () => longestTurn(api.request('POST', `/v1/flows/${id}/publish`, { key }));
    const answers = [await publish(), await publish()];
    const blockedMs = Math.min(...answers.map(({ turnMs }) => turnMs));
    const bytes = Math.max(...answers.map(({ result }) => Buffer.byteLength(result.text)));
    [largest, longest] = [Math.max(largest, bytes), Math.max(longest, blockedMs)];
    const isRefused = answers.every(({ result }) => result.status === 422);
    if (!isRefused || bytes > largestAnswerBytes || blockedMs > longestBlockMs)
      through.push({ name, status: answers[0]?.result.status, bytes, blockedMs });
  }
  expect(through).toEqual([]);
  const note = `largest refusal ${Math.ceil(largest / 1024)} kB, longest time ${Math.ceil(longest)} ms`;
  await reportAttack('definitionFlood', { tried: Object.keys(definitions).length, through: through.length, note });
});

/** 2,000 patterns that are all different take some seconds to compile. */
const endless = aDefinition(
  many(400, (n) => ({
    id: `b${n}`,
    type: 'condition',
    rules: many(5, (m) => ({ field: 'size', op: 'matches', value: `${'(?i)\\p{L}'.repeat(21)}${n}x${m}` })),
    next: { false: null },
  })),
);

test('a definition that takes too long to check is refused, and nobody else waits for it', async () => {
  const { id } = await createFlow(untold(api.db), accountId, { name: 'Flood', definition: endless });
  const path = `/v1/flows/${showId('flow', id)}`;
  const through: unknown[] = [];
  const ask = async (method: string, to: string, body?: object) => {
    const { result, turnMs } = await longestTurn(api.request(method, to, { key, ...(body && { body }) }));
    if (turnMs > longestBlockMs) through.push({ method, to, blockedMs: turnMs });
    return result;
  };
  const tooLong = expect.stringContaining('takes more than a second to check');
  const refused = { error: { code: 'invalid_request', details: [{ path: 'definition', message: tooLong }] } };
  const issues = [{ code: 'too_costly', message: tooLong }];
  expect((await ask('POST', '/v1/flows', { name: 'Flood', definition: endless })).body).toMatchObject(refused);
  expect((await ask('PUT', `${path}/draft`, { definition: endless })).body).toMatchObject(refused);
  expect((await ask('GET', `${path}/draft`)).body).toMatchObject({ issues });
  expect((await ask('POST', `${path}/validate`, { definition: endless })).body).toMatchObject({ valid: false, issues });
  expect((await ask('POST', `${path}/publish`)).body).toMatchObject({
    error: { code: 'invalid_request', details: issues },
  });
  expect(through).toEqual([]);
});
