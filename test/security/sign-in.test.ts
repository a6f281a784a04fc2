import { expect, onTestFinished, test } from 'vitest';
import { parseTrustProxy, trustsNobody, type TrustsProxy } from '../../src/shared/trust-proxy.ts';
import { startApi, type TestApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

const start = async (trustProxy: TrustsProxy): Promise<TestApi> => {
  const api = await startApi({ config: { trustProxy } });
  onTestFinished(api.stop);
  return api;
};

const signIn = (api: TestApi, { from, ...body }: { from?: string; email: string; password?: string }) =>
  api.request('POST', '/dashboard/api/session', {
    body,
    headers: { origin: api.deps.config.baseUrl, ...(from !== undefined && { 'x-forwarded-for': from }) },
  });

test('an address that a client writes into X-Forwarded-For itself gives it no further tries', async () => {
  const results = await Promise.all([
    forge(await start(trustsNobody), (forged) => forged),
    // The proxy adds the real one on the right.
    forge(await start(parseTrustProxy('1')), (forged) => `${forged}, 203.0.113.7`),
  ]);
  const through = results.reduce((sum, guessed) => sum + Math.max(0, guessed - 100), 0);
  await reportAttack('forgedForwardedFor', { tried: 2 * 120, through });
  expect(results).toEqual([100, 100]);
});

/** How many of 120 tries, each with another forged address, were looked at. */
const forge = async (api: TestApi, header: (forged: string) => string): Promise<number> => {
  // Without a password that would have to be looked at: what counts is whether it comes so far.
  const guess = (index: number) => signIn(api, { from: header(`198.51.100.${index}`), email: 'somebody@example.com' });
  const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => guess(index)));
  return answers.filter(({ status }) => status !== 429).length;
};
