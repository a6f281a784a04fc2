import { expect, test } from 'vitest';
import { proofOf } from '../helpers/webchat/table.ts';
import { endBrowser, visit } from '../helpers/webchat/site.ts';

endBrowser();

const anybody = { policy: () => 'object-src *' } as const;
const aPerson = (id: string) => ({ external_id: id, expires_at: 1_900_000_000, hash: proofOf(id) });
const identify = (person: unknown): string => `ParleyWebchat.identify(${JSON.stringify(person)})`;

test('another person is never shown what the one before has said, not while they are asked for either', async () => {
  const { double, page, launcher, panel, write, texts } = await visit(anybody);
  await page.evaluate(identify(aPerson('ann')));
  await launcher.click();
  await write('This is Ann');
  await panel.getByText(/Sent$/).waitFor();
  const ann = double.table.only();
  expect(ann.externalId).toBe('ann');
  await expect.poll(() => double.streamsOf(ann)).toBe(1);
  await page.locator('textarea').fill('half a word of Ann');

  let answer: (value: unknown) => void = () => {};
  double.setFate((_, route) => (route === 'identify' ? { until: new Promise((resolve) => (answer = resolve)) } : {}));
  const identified = page.evaluate(identify(aPerson('bob')));
  await expect.poll(() => double.asked.filter((asked) => asked === 'POST identify').length).toBe(2);
  await expect.poll(() => double.streamsOf(ann)).toBe(0);
  await expect.poll(() => texts()).toEqual(['Hi! How can we help?']);
  expect(await page.locator('textarea').inputValue()).toBe('');
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/ann|Ann/);
  double.table.say(ann, { text: 'For Ann alone' });
  await write('This is Bob');
  answer(undefined);
  await identified;
  await panel.getByText(/Sent$/).waitFor();
  const bob = [...double.table.visitors.values()].find(({ externalId }) => externalId === 'bob');
  expect(bob?.rows.map(({ text }) => text)).toEqual(['This is Bob']);
  expect(ann.rows.map(({ text }) => text)).toEqual(['This is Ann', 'For Ann alone']);
  expect(await texts()).toEqual(['Hi! How can we help?', 'This is Bob']);

  double.setFate(() => ({}));
  await page.evaluate(identify(aPerson('ann')));
  await panel.getByText('For Ann alone').waitFor();
  expect(await texts()).toEqual(['Hi! How can we help?', 'This is Ann', 'For Ann alone']);
});

test('a wrong proof is refused in words, and leaves a stranger on the page', async () => {
  const { double, page, launcher, panel, write, texts } = await visit(anybody);
  await page.evaluate(identify(aPerson('ann')));
  await launcher.click();
  await write('This is Ann');
  await panel.getByText(/Sent$/).waitFor();
  const refused = page.evaluate(`${identify({ ...aPerson('bob'), hash: 'x' })}.catch((error) => error.message)`);
  expect(await refused).toBe('Wrong hash.');
  await expect.poll(() => texts()).toEqual(['Hi! How can we help?']);
  await write('This is a stranger');
  await panel.getByText(/Sent$/).waitFor();
  expect([...double.table.visitors.values()].map(({ externalId, rows }) => [externalId, rows.length])).toEqual([
    ['ann', 1],
    [null, 1],
  ]);
});

test('the same person on every page is asked for once, and signs out by null', async () => {
  const { double, page, launcher, panel, write, texts } = await visit(anybody);
  for (let pages = 0; pages < 3; pages += 1) {
    await launcher.waitFor();
    await page.evaluate(identify(aPerson('ann')));
    await page.reload();
  }
  expect(double.asked.filter((asked) => asked === 'POST identify').length).toBe(1);
  await launcher.click();
  await write('This is Ann');
  await panel.getByText(/Sent$/).waitFor();
  await page.evaluate(identify(null));
  await expect.poll(() => texts()).toEqual(['Hi! How can we help?']);
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
});

test('a person who signs out in one tab is gone from the others', async () => {
  const { page, openTab, launcher, panel, write, texts } = await visit(anybody);
  await page.evaluate(identify(aPerson('ann')));
  await launcher.click();
  await write('This is Ann');
  await panel.getByText(/Sent$/).waitFor();
  const second = await openTab();
  await second.locator('.launcher').click();
  await second.getByRole('dialog').getByText('This is Ann').waitFor();
  await page.evaluate(identify(null));
  await expect.poll(() => texts(second)).toEqual(['Hi! How can we help?']);
});

test('a token that the server does not know any more makes a stranger, whose message arrives', async () => {
  const { double, launcher, panel, write, texts } = await visit(anybody);
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  double.table.visitors.clear();
  await write('Hello again');
  await expect
    .poll(() => double.table.visitors.size && double.table.only().rows.map(({ text }) => text))
    .toEqual(['Hello again']);
  await expect.poll(() => texts()).toEqual(['Hi! How can we help?', 'Hello again']);
});
