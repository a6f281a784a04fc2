import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { endBrowser, visit, type Visit } from '../helpers/webchat/site.ts';

endBrowser();

const open = { is_open: true, changes_in: 600 };
const away = { is_open: false, changes_in: 3_600 };

/** With a clock of its own, from before the page is loaded. */
const visitByClock = async (office: object): Promise<Visit> => {
  const visited = await visit({ config: { office, texts: { away: 'Back on Monday.' } } });
  await visited.page.clock.install();
  await visited.page.reload();
  return visited;
};

const countAsked = ({ double }: Visit): number => double.asked.filter((asked) => asked === 'GET config').length;

/** Lets seconds pass until the config was asked for so often. Answers how many passed. */
const passUntilAsked = async (visited: Visit, times: number, secondsAtMost: number): Promise<number> => {
  let seconds = 0;
  for (; countAsked(visited) < times && seconds < secondsAtMost; seconds += 1) await visited.page.clock.runFor(1_000);
  await expect.poll(() => countAsked(visited)).toBe(times);
  return seconds;
};

test('a chat that stays open says so when the office closes, and no more when it opens, with a request for each', async () => {
  const visited = await visitByClock(open);
  const { double, page, panel, launcher } = visited;
  await launcher.click();
  await panel.waitFor();
  expect(await panel.getByText('Back on Monday.').count()).toBe(0);
  const before = countAsked(visited);
  double.setConfig({ office: away });
  await page.clock.runFor(599_000);
  expect(countAsked(visited)).toBe(before);
  await passUntilAsked(visited, before + 1, 20);
  await panel.getByText('Back on Monday.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  double.setConfig({ office: open });
  await page.clock.runFor(3_500_000);
  expect(countAsked(visited)).toBe(before + 1);
  await passUntilAsked(visited, before + 2, 120);
  await panel.getByText('Back on Monday.').waitFor({ state: 'detached' });
});

test('a chat that is opened on a page of hours ago shows whether somebody is there now', async () => {
  const visited = await visitByClock(open);
  const { double, page, panel, launcher } = visited;
  await launcher.waitFor();
  const before = countAsked(visited);
  double.setConfig({ office: away });
  await page.clock.fastForward('03:00:00');
  await launcher.click();
  await panel.getByText('Back on Monday.').waitFor();
  expect(countAsked(visited)).toBe(before + 1);
});

test('a server that does not say whether somebody is there is asked once a minute', async () => {
  const visited = await visitByClock(open);
  const { double, page, panel, launcher } = visited;
  await launcher.click();
  await panel.waitFor();
  const before = countAsked(visited);
  double.setFate((_, route) => (route === 'config' ? { status: 500 } : {}));
  await page.clock.runFor(599_000);
  await passUntilAsked(visited, before + 1, 20);
  double.setConfig({ office: away });
  double.setFate(() => ({}));
  expect(await passUntilAsked(visited, before + 2, 65)).toBeGreaterThan(50);
  await panel.getByText('Back on Monday.').waitFor();
});
