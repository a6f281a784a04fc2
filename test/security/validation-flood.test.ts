import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { longestTurn } from './longest-turn.ts';
import { reportAttack } from './report.ts';

const api = await useApi();
const account = await api.createAccount();

const largestAnswerBytes = 64 * 1024;
const longestBlockMs = 100;

const many = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
const fields = (count: number, value: unknown) => Object.fromEntries(many(count, (n) => [`f${n}`, value]));
const longName = 'x'.repeat(100_000);

const floods: [path: string, body: unknown][] = [
  ['/dashboard/api/session', fields(20_000, 1)],
  ['/dashboard/api/session', many(125_000, () => 1)],
  ['/dashboard/api/session', { email: 'x'.repeat(250_000), password: 1 }],
  ['/v1/webhooks', { events: many(60_000, () => 'x') }],
  ['/v1/webhooks', { events: many(125_000, () => 1) }],
  ['/v1/webhooks', { events: many(4_500, () => 1) }],
  ['/v1/webhooks', { url: `https://${'a.'.repeat(120_000)}` }],
  ['/v1/contacts', { custom_fields: fields(18_000, []) }],
  ['/v1/contacts', { custom_fields: fields(4_500, []) }],
  ['/v1/contacts', { custom_fields: { [longName]: [] }, [longName]: 1 }],
  ['/v1/contacts', { [longName]: many(4_500, () => '\0') }],
  ['/v1/contacts', { [longName]: many(4_500, () => 1) }],
  ['/v1/contacts', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
  ['/v1/contacts', { email: `a@${'a.'.repeat(120_000)}` }],
  ['/v1/replays', { status: many(125_000, () => 1) }],
  ['/v1/channels', many(80_000, () => [])],
];

const send = async (path: string, body: string) => {
  const credential = path.startsWith('/v1') ? { key: account.apiKey } : { headers: { origin: api.url } };
  const { result, turnMs } = await longestTurn(api.request('POST', path, { body, ...credential }));
  return { status: result.status, bytes: Buffer.byteLength(result.text), blockedMs: turnMs };
};

test('a body that is costly to refuse is refused in few bytes and little time', async () => {
  let [largest, longest] = [0, 0];
  const through: unknown[] = [];
  for (const [path, value] of floods) {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    expect(body.length).toBeLessThan(256 * 1024);
    // Three times, for a collection of garbage is not this body's: the best of them is.
    const answers = [await send(path, body), await send(path, body), await send(path, body)];
    const blockedMs = Math.min(...answers.map((answer) => answer.blockedMs));
    const bytes = Math.max(...answers.map((answer) => answer.bytes));
    [largest, longest] = [Math.max(largest, bytes), Math.max(longest, blockedMs)];
    const refused = answers.every(({ status }) => status >= 400 && status < 500);
    if (!refused || bytes > largestAnswerBytes || blockedMs > longestBlockMs) {
      through.push({ path, body: body.slice(0, 40), status: answers[0]?.status, bytes, blockedMs });
    }
  }
  expect(through).toEqual([]);
  const note = `largest answer ${Math.ceil(largest / 1024)} kB, longest time ${Math.ceil(longest)} ms`;
  await reportAttack('validationFlood', { tried: floods.length, through: through.length, note });
});
