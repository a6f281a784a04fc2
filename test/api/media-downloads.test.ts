import { expect, test } from 'vitest';
import { removeMedia } from '../../src/shared/media/remove-media.ts';
import { useApi } from '../helpers/api.ts';
import { countRows } from '../helpers/rows.ts';
import { ageMedia } from '../helpers/states/media.ts';

// What the route of files answers to bad requests. Links that are not valid: test/security/media.test.ts.

const api = await useApi({ config: { trustProxy: () => true } });
const account = await api.createAccount();

const upload = async (bytes = 'a bill'): Promise<URL> => {
  const sent = { key: account.apiKey, body: Buffer.from(bytes), headers: { 'content-type': 'text/plain' } };
  return new URL((await api.request<{ url: string }>('POST', '/v1/media?name=bill.txt', sent)).body.url);
};

type Refused = { error: { code: string; message: string } } | undefined;

const ask = ({ pathname, search }: URL, from: string, method = 'GET', headers: Record<string, string> = {}) =>
  api.request<Refused>(method, `${pathname}${search}`, { headers: { 'x-forwarded-for': from, ...headers } });

/** Asks so often, fifty at a time; answers how often each status came, and what refusals said. */
const many = async (times: number, request: (nth: number) => ReturnType<typeof ask>) => {
  const counts: Record<number, number> = {};
  const said = new Set<string>();
  for (let nth = 0; nth < times; nth += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => request(nth + index)));
    for (const { status, body } of answers) {
      counts[status] = (counts[status] ?? 0) + 1;
      if (body) said.add(body.error.message);
    }
  }
  return { counts, said };
};

/** On a slow machine another minute begins, with requests of its own. */
const minutesSince = (beganMs: number): number => 1 + Math.floor((performance.now() - beganMs) / 60_000);

const tooMany = 'Too many files are read from your network. Wait a moment.';

test('a file is read by GET and HEAD alone, and no page of another site can read its bytes', async () => {
  const url = await upload();
  const before = await countRows(api.db);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect([method, (await ask(url, '192.0.2.1', method)).status]).toEqual([method, 405]);
  const { status, headers } = await ask(url, '192.0.2.1', 'GET', { origin: 'https://evil.example' });
  expect(status).toBe(200);
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
  expect(await countRows(api.db)).toEqual(before);
});

test('a file that is removed is 404 by a link that still holds', async () => {
  const url = await upload();
  await ageMedia(api.db, account.accountId, 25);
  await removeMedia({ db: api.db, store: api.deps.media.store });
  expect(await ask(url, '192.0.2.1')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});

test('a size that there is not, or is given twice, is refused in words', async () => {
  const url = await upload();
  for (const more of ['&size=huge', '&size=thumbnail&size=thumbnail'])
    expect(await ask(new URL(`${url.href}${more}`), '192.0.2.1')).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request' } },
    });
  expect(await ask(new URL(`${url.href}&size=thumbnail`), '192.0.2.1')).toMatchObject({ status: 404 });
});

test('10,000 downloads of one network a minute: 6,000 are taken, and another network reads on', async () => {
  const url = await upload();
  const beganMs = performance.now();
  const { counts } = await many(10_000, () => ask(url, '192.0.2.2', 'HEAD'));
  const taken = counts[200] ?? 0;
  expect(taken).toBeGreaterThanOrEqual(6_000);
  expect(taken).toBeLessThanOrEqual(6_000 * minutesSince(beganMs));
  expect(counts).toEqual({ 200: taken, 429: 10_000 - taken });
  expect(await ask(url, '192.0.2.3')).toMatchObject({ status: 200 });
});

test('wrong links of one network beyond 1,000 a minute are refused in words with Retry-After', async () => {
  const url = await upload();
  const wrong = new URL(url);
  wrong.searchParams.set('signature', 'A'.repeat(43));
  const beganMs = performance.now();
  const { counts, said } = await many(1_500, () => ask(wrong, '192.0.2.4'));
  const looked = counts[403] ?? 0;
  expect(looked).toBeGreaterThanOrEqual(1_000);
  expect(looked).toBeLessThanOrEqual(1_000 * minutesSince(beganMs));
  expect(said).toContain(tooMany);
  expect(Number((await ask(wrong, '192.0.2.4')).headers['retry-after'] ?? 60)).toBeGreaterThan(0);
  const spread = await many(1_500, (nth) => ask(wrong, `198.51.${Math.floor(nth / 250)}.${nth % 250}`));
  expect(spread.counts).toEqual({ 403: 1_500 });
  expect(await ask(url, '192.0.2.5')).toMatchObject({ status: 200 });
});
