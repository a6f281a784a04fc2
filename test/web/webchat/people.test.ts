import { describe, expect, test } from 'vitest';
import type { Fate } from '../helpers/webchat/double.ts';
import { proofOf } from '../helpers/webchat/table.ts';
import { endBrowser, visit, type Visit } from '../helpers/webchat/site.ts';

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

test.for<[string, (visited: Visit) => Promise<unknown>]>([
  ['somebody else is named', ({ page }) => page.evaluate(identify(aPerson('bob')))],
  ['they sign out', ({ page }) => page.evaluate(identify(null))],
  ['they sign out in another tab', async ({ openTab }) => (await openTab()).evaluate(identify(null))],
  [
    'they sign out in another tab while this one is elsewhere',
    async ({ page, url, openTab }) => {
      const other = await openTab();
      await page.goto('about:blank');
      await other.evaluate(identify(null));
      await page.goto(url);
    },
  ],
])('what a person has not sent is gone, also with the chat closed, once %s', async ([, leave]) => {
  const visited = await visit(anybody);
  const { double, page, launcher, panel, field } = visited;
  await page.evaluate(identify(aPerson('ann')));
  await launcher.click();
  await field.fill('half a word of Ann');
  await panel.getByLabel('Close chat').click();
  const reads = () => double.asked.filter((asked) => asked === 'GET changes').length;
  const before = reads();
  // The next page knows who is there, and has not shown the chat yet.
  await page.reload();
  await expect.poll(reads).toBeGreaterThan(before);
  const isKept = () => page.evaluate('JSON.stringify({ ...sessionStorage }).includes("half a word")');
  expect(await isKept()).toBe(true);
  await leave(visited);
  await launcher.click();
  await expect.poll(isKept).toBe(false);
  expect(await field.inputValue()).toBe('');
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

test('a stranger whom the site names nobody on every page keeps their chat', async () => {
  const { page, launcher, panel, write, texts } = await visit(anybody);
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  for (let pages = 0; pages < 2; pages += 1) {
    await page.evaluate(identify(null));
    await page.reload();
    await panel.getByText('Hello', { exact: true }).waitFor();
  }
  expect(await texts()).toEqual(['Hi! How can we help?', 'Hello']);
});

test('a person whose token has given way to those of other browsers proves again who they are, once', async () => {
  const { double, page, launcher, panel, write, texts } = await visit(anybody);
  await page.evaluate(identify(aPerson('ann')));
  await launcher.click();
  await write('This is Ann');
  await panel.getByText(/Sent$/).waitFor();
  await page.reload();
  await panel.getByText('This is Ann').waitFor();
  await page.evaluate(identify(aPerson('ann')));
  const proofs = () => double.asked.filter((asked) => asked === 'POST identify').length;
  expect(proofs()).toBe(1);
  const ann = double.table.only();
  await expect.poll(() => double.streamsOf(ann)).toBe(1);
  await page.clock.setFixedTime(new Date());
  double.table.visitors.clear();
  double.table.visitors.set('a'.repeat(43), ann);
  double.cutStreams();
  await expect.poll(proofs).toBe(2);
  double.table.say(ann, { text: 'Good to see you' });
  await panel.getByText('Good to see you').waitFor();
  expect(await texts()).toEqual(['Hi! How can we help?', 'This is Ann', 'Good to see you']);
  double.table.visitors.clear();
  await write('Am I a stranger now?');
  await expect.poll(() => double.table.visitors.size && double.table.only().externalId).toBeNull();
  expect(proofs()).toBe(2);
});

describe('somebody who comes by the link of a mail', () => {
  const come = async (fate: Fate) => {
    let requests = 0;
    // A browser makes a request again by itself where a connection that it had before is cut.
    const isFirst = (route: string) => route === 'return' && (requests += 1) <= 3;
    const visited = await visit({ ...anybody, fateOf: (_, route) => (isFirst(route) ? fate : {}) });
    const { token, visitor } = visited.double.table.create('ann');
    visited.double.table.say(visitor, { text: 'It is on its way' });
    await visited.page.goto('about:blank');
    await visited.page.goto(`${visited.url}#parley-chat=${token}`);
    return visited;
  };

  test.for<[string, Fate]>([
    ['reach nobody', { cut: 'request' }],
    ['lose their answers', { cut: 'answer' }],
    ['come to a server that is busy', { status: 503 }],
  ])('has their chat also where the first requests %s', async ([, fate]) => {
    const { panel, page, url } = await come(fate);
    await panel.getByText('It is on its way').waitFor();
    expect(page.url()).toBe(url);
  });

  test('leaves it by signing out, and keeps it as the person whom the site names then', async () => {
    const { page, panel, texts } = await come({});
    await panel.getByText('It is on its way').waitFor();
    await page.evaluate(identify(aPerson('ann')));
    expect(await texts()).toEqual(['Hi! How can we help?', 'It is on its way']);
    await page.evaluate(identify(null));
    await expect.poll(() => texts()).toEqual(['Hi! How can we help?']);
  });

  test('leaves it by signing out before the site has named anybody', async () => {
    const { page, panel, texts } = await come({});
    await panel.getByText('It is on its way').waitFor();
    await page.evaluate(identify(null));
    await expect.poll(() => texts()).toEqual(['Hi! How can we help?']);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
  });
});
