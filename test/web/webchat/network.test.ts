import { expect, test } from 'vitest';
import { randomOf } from '../helpers/random-of.ts';
import type { Fate } from '../helpers/webchat/double.ts';
import { endBrowser, visit, type Visit } from '../helpers/webchat/site.ts';

endBrowser();

const seeds = Number(process.env['WEBCHAT_SEEDS'] ?? 2);

const begin = async (visited: Visit): Promise<void> => {
  await visited.launcher.click();
  await visited.write('Hello');
  await visited.panel.getByText(/Sent$/).waitFor();
};

const greeting = 'Hi! How can we help?';
const stored = ({ double }: Visit): string[] => [greeting, ...double.table.only().rows.map(({ text }) => text)];

test.each(Array.from({ length: seeds }, (_, place) => place + 1))(
  'over a network that cuts, delays, refuses and loses, the thread ends as the table (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const visited = await visit();
    await begin(visited);
    const { double, page, write } = visited;
    const visitor = double.table.only();
    const fate = (): Fate => {
      const chance = random();
      const waitMs = Math.floor(random() * 150);
      if (chance < 0.15) return { waitMs, cut: 'request' };
      if (chance < 0.3) return { waitMs, cut: 'answer' };
      if (chance < 0.36) return { waitMs, status: 500 };
      return chance < 0.38 ? { waitMs, status: 429 } : { waitMs };
    };
    double.setFate((method, route) => (route === 'loader.js' || (method === 'EVENT' && random() < 0.8) ? {} : fate()));
    const written = ['Hello'];
    for (let step = 0; step < 40; step += 1) {
      const chance = random();
      if (chance < 0.3) {
        written.push(`mine ${step}`);
        await write(`mine ${step}`);
      } else if (chance < 0.7) double.table.say(visitor, { text: `theirs ${step}` });
      else if (chance < 0.8) double.table.edit(visitor, visitor.rows.at(-1)?.id ?? '', `edited ${step}`);
      else if (chance < 0.85) double.table.close(visitor);
      else if (chance < 0.9) double.cutStreams();
      else if (chance < 0.93) await page.reload();
      await page.evaluate(`new Promise((done) => setTimeout(done, ${Math.floor(random() * 80)}))`);
    }
    double.setFate(() => ({}));
    await page.evaluate('dispatchEvent(new Event("online"))');
    // What waits is shown before it is stored: both are read anew each time.
    const areSame = async () => JSON.stringify(await visited.texts()) === JSON.stringify(stored(visited));
    await expect.poll(areSame, { timeout: 60_000 }).toBe(true);
    const mine = visitor.rows.filter(({ direction, text }) => direction === 'visitor' && !text.startsWith('edited'));
    expect(mine.map(({ client_id }) => client_id).length).toBe(new Set(mine.map(({ client_id }) => client_id)).size);
    expect(visitor.rows.filter(({ direction }) => direction === 'visitor').length).toBe(written.length);
  },
);

test('a reload while a message is sent sends it again, and it is there once', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, page, panel, write, texts } = visited;
  double.setFate((method, route) => (method === 'POST' && route === 'messages' ? { cut: 'answer' } : {}));
  await write('Is it there?');
  await expect.poll(() => double.table.only().rows.length).toBe(2);
  await page.reload();
  await panel.getByText('Is it there?').waitFor();
  double.setFate(() => ({}));
  await panel.getByText(/Sent$/).waitFor();
  expect(await texts()).toEqual([greeting, 'Hello', 'Is it there?']);
  expect(double.table.only().rows.length).toBe(2);

  double.setFate((method, route) => (method === 'POST' && route === 'messages' ? { cut: 'request' } : {}));
  await write('And this one?');
  await panel.getByText('Sending …').waitFor();
  await page.reload();
  double.setFate(() => ({}));
  await expect.poll(() => texts()).toEqual([greeting, 'Hello', 'Is it there?', 'And this one?']);
  await expect.poll(() => double.table.only().rows.length).toBe(3);
});

test('a first message whose acknowledgement is lost makes one visitor, whose thread goes on', async () => {
  const { double, launcher, panel, write } = await visit();
  let lost = 0;
  double.setFate((_, route) => (route === 'messages' && (lost += 1) < 3 ? { cut: 'answer' } : {}));
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  expect(lost).toBe(3);
  expect(double.table.only().rows.length).toBe(1);
  double.table.say(double.table.only(), { text: 'Welcome' });
  await panel.getByText('Welcome').waitFor();
});

test('without a network the chat says so, and everything goes both ways once it is back', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, context, panel, write, texts } = visited;
  await context.setOffline(true);
  double.cutStreams();
  await panel.getByText('You are offline. Your messages go out once you are back.').waitFor();
  await write('Are you there?');
  await panel.getByText('Sending …').waitFor();
  double.table.say(double.table.only(), { text: 'We are' });
  await context.setOffline(false);
  await panel.getByText('We are', { exact: true }).waitFor();
  await panel.getByText(/Sent$/).waitFor();
  await expect.poll(() => texts()).toEqual([greeting, 'Hello', 'We are', 'Are you there?']);
  await expect.poll(() => panel.getByText('You are offline').count()).toBe(0);
});

test('a refused message says so, and is sent by Retry or taken away by Remove', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, panel, write, texts } = visited;
  double.setFate((method, route) => (method === 'POST' && route === 'messages' ? { status: 400 } : {}));
  await write('One');
  await write('Two');
  await panel.getByText('Not sent').nth(1).waitFor();
  await panel.getByRole('button', { name: 'Remove' }).first().click();
  await expect.poll(() => texts()).toEqual([greeting, 'Hello', 'Two']);
  double.setFate(() => ({}));
  await panel.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => double.table.only().rows.map(({ text }) => text)).toEqual(['Hello', 'Two']);
  await expect.poll(() => texts()).toEqual([greeting, 'Hello', 'Two']);
});

test('two tabs have one stream, show the same, and the second one goes on without the first', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, page, openTab, texts, write } = visited;
  const visitor = double.table.only();
  const second = await openTab();
  await second.locator('.launcher').click();
  await second.getByRole('dialog').getByText('Hello').waitFor();
  double.table.say(visitor, { text: 'To both' });
  for (const tab of [page, second]) await tab.getByRole('dialog').getByText('To both').waitFor();
  expect(double.streamsOf(visitor)).toBe(1);
  // The tab that leads reads this one, for its stream breaks off before.
  double.setFate((method) => (method === 'EVENT' ? { cut: 'request' } : {}));
  double.table.say(visitor, { text: 'In between' });
  for (const tab of [page, second]) await tab.getByRole('dialog').getByText('In between').waitFor();
  double.setFate(() => ({}));
  await write('From the second', second);
  await page.getByRole('dialog').getByText('From the second').waitFor();
  await page.close();
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  double.table.say(visitor, { text: 'Still here?' });
  await second.getByRole('dialog').getByText('Still here?').waitFor();
  expect(await texts(second)).toEqual(stored(visited));
});

test('a visitor who writes first in one tab is the same one in all tabs', async () => {
  const { double, launcher, openTab, write, page } = await visit();
  const second = await openTab();
  await launcher.click();
  await second.locator('.launcher').click();
  await second.locator('textarea').waitFor();
  await Promise.all([write('One', page), write('Two', second)]);
  await expect.poll(() => double.table.visitors.size && double.table.only().rows.length).toBe(2);
  for (const tab of [page, second]) {
    await tab.getByRole('dialog').getByText('One').waitFor();
    await tab.getByRole('dialog').getByText('Two').waitFor();
  }
});

test('older messages come as the visitor scrolls up, and the thread stays where it was', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, page, panel, texts } = visited;
  const visitor = double.table.only();
  double.setFate((method) => (method === 'EVENT' ? { cut: 'request' } : {}));
  for (let said = 1; said <= 120; said += 1) double.table.say(visitor, { text: `message ${said}` });
  double.setFate(() => ({}));
  await page.reload();
  await panel.getByText('message 120').waitFor();
  expect((await texts()).length).toBe(50);
  for (const count of [100, 122]) {
    await panel
      .locator('.scroll')
      .evaluate((element: { scrollTo: (x: number, y: number) => void }) => element.scrollTo(0, 0));
    await expect.poll(async () => (await texts()).length).toBe(count);
  }
  expect(await texts()).toEqual(stored(visited));
  await panel.getByLabel('Show latest messages').click();
  await expect.poll(() => panel.getByText('message 120').isVisible()).toBe(true);
});

test('a closed panel counts unread messages, and opening it reads them', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, page, panel, launcher } = visited;
  const visitor = double.table.only();
  await panel.getByLabel('Close chat').click();
  await page.evaluate('window.told = []; ParleyWebchat.on("unread", (count) => told.push(count))');
  await page.evaluate('ParleyWebchat.on("message", ({ text }) => told.push(text))');
  double.table.say(visitor, { text: 'One' });
  await page.getByRole('button', { name: 'Open chat, 1 unread' }).waitFor();
  await page.getByRole('status').getByText('1 unread').waitFor();
  double.table.say(visitor, { text: 'Two' });
  await page.getByRole('button', { name: 'Open chat, 2 unread' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Open chat, 2 unread' }).waitFor();
  expect(visitor.rows.filter(({ read_at }) => read_at !== null)).toEqual([]);
  await launcher.click();
  await expect.poll(() => visitor.rows.filter(({ read_at }) => read_at !== null).length).toBe(2);
  await page.locator('.launcher[aria-label="Close chat"]').waitFor();
});
