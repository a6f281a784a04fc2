import { expect, test } from 'vitest';
import type { Fate } from '../helpers/webchat/double.ts';
import { proofOf } from '../helpers/webchat/table.ts';
import { endBrowser, visit, type Visit } from '../helpers/webchat/site.ts';

endBrowser();

/** A call of the page that stays open: what has become of it is in `outcome`. */
const identify = `window.outcome = 'open';
  ParleyWebchat.identify(${JSON.stringify({ external_id: 'ann', expires_at: 1_900_000_000, hash: proofOf('ann') })})
    .then(() => (outcome = 'settled'), () => (outcome = 'rejected'));
  undefined;`;

const outcomeOf = ({ page }: Visit) => page.evaluate('outcome');

/** A page that has begun where requests for this fare so, and has called `identify`. */
const beginWhere = async (fate: Fate, route: RegExp) => {
  const visited = await visit({ policy: () => 'object-src *' });
  const { double, page } = visited;
  await page.clock.install();
  double.setFate((_, asked) => (route.test(asked) ? fate : {}));
  await page.reload();
  await page.waitForFunction('window.ParleyWebchat !== undefined');
  await page.evaluate(identify);
  const countAsked = () => double.asked.filter((asked) => route.test(asked)).length;
  const before = countAsked();
  /** Lets its clock run until it has asked so often. */
  const askTimes = async (times: number): Promise<void> => {
    await expect
      .poll(async () => {
        await page.clock.runFor(30_000);
        return countAsked() - before;
      })
      .toBeGreaterThanOrEqual(times);
  };
  return { ...visited, askTimes };
};

test.for<[string, Fate, string]>([
  ['breaks off, once there is a network', { cut: 'request' }, 'dispatchEvent(new Event("online"))'],
  [
    'is busy, once the visitor is back',
    { status: 503 },
    'document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))',
  ],
  ['fails, by itself', { status: 500 }, ''],
])('a page that begins where the server %s, has its chat and says who is there', async ([, fate, sign]) => {
  const visited = await beginWhere(fate, /^(GET )?config/);
  const { double, page, launcher, askTimes } = visited;
  await askTimes(6);
  expect(await outcomeOf(visited)).toBe('open');
  double.setFate(() => ({}));
  if (sign === '') await page.clock.runFor(600_000);
  else await page.evaluate(sign);
  await launcher.waitFor();
  await expect.poll(() => outcomeOf(visited)).toBe('settled');
  expect(double.table.only().externalId).toBe('ann');
});

test.for<[string, Fate, string]>([
  ['the channel is gone', { status: 404 }, ''],
  ['the chat is destroyed before there is a network', { cut: 'request' }, 'ParleyWebchat.destroy()'],
])('identify rejects where %s', async ([, fate, work]) => {
  const visited = await beginWhere(fate, /^(GET )?config/);
  await visited.page.evaluate(work);
  await expect.poll(() => outcomeOf(visited)).toBe('rejected');
});

test('a visitor who comes and goes uses up no try of the widget: identify waits for the network', async () => {
  const visited = await beginWhere({ status: 500 }, /widget/);
  const { double, page, askTimes } = visited;
  await askTimes(1);
  for (let times = 0; times < 12; times += 1) {
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
    await page.clock.runFor(10);
  }
  expect(await outcomeOf(visited)).toBe('open');
  double.setFate(() => ({}));
  await page.clock.runFor(60_000);
  await expect.poll(() => outcomeOf(visited)).toBe('settled');
});

test('a chat whose widget could not be loaded opens by a later click', async () => {
  const visited = await beginWhere({ status: 500 }, /widget/);
  const { double, page, launcher, panel, askTimes } = visited;
  await askTimes(4);
  await expect
    .poll(async () => {
      await page.clock.runFor(30_000);
      return outcomeOf(visited);
    })
    .toBe('rejected');
  double.setFate(() => ({}));
  await launcher.click();
  await panel.waitFor();
});
