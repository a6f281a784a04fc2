import { expect, test } from 'vitest';
import { useLiveWeb } from '../helpers/live-web.ts';
import { followLoading } from '../helpers/settled.ts';
import { mostBytes, take } from './take.ts';

const { live, web } = await useLiveWeb({ testEndpoint: true });

test('dashboard-first-steps', async () => {
  const { session } = await live.api.createAccount();
  await live.api.request('PATCH', '/dashboard/api/account', { session, body: { name: 'Shirts & Co' } });
  await live.api.request('PATCH', '/dashboard/api/profile', { session, body: { name: 'Grace Hopper' } });
  const page = await web.open('/first-steps', { session, viewport: { width: 1280, height: 1230 } });
  const { settled } = followLoading(page);
  for (const [button, said] of [
    ['Create webhook', 'Your webhook is verified and active.'],
    ['Send message', 'Both signatures are valid.'],
    ['Create flow', 'Your flow is live.'],
    ['Send “order”', 'Field mapped'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByText(said).waitFor();
  }
  await page.evaluate('scrollTo(0, 0)');
  await page.mouse.move(0, 0);
  await settled();
  expect(await take(page, 'dashboard-first-steps')).toBeLessThan(mostBytes);
});
