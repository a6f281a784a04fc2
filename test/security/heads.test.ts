import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { longestTurn } from './longest-turn.ts';

const api = await useApi();
const { apiKey } = await api.createAccount();

const pieces = [' ', ',', ';', '"', 'a', 'a=', 'a,', 'W/"', 'a/b;', '0', '-', '.', ':', '%', 'a;q=1,'];

/** Node takes 16 kB of headers, of which a client needs some. */
const longest = 14_000;

test.each([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'host',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'origin',
  'traceparent',
  'tracestate',
  'x-access-token',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
])('the longest header %s holds nobody up, whatever it repeats', async (name) => {
  for (const piece of pieces) {
    const headers = { [name]: `a${piece.repeat(longest / piece.length)}b` };
    const ask = () => longestTurn(api.request('POST', '/v1/contacts', { key: apiKey, headers, body: {} }));
    // Twice: a collection of garbage is not this header's.
    const turns = [await ask(), await ask()].map(({ turnMs }) => turnMs);
    expect(Math.min(...turns), `${name}: ${piece}`).toBeLessThan(50);
  }
});
