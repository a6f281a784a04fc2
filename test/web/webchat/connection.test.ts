import { expect, test } from 'vitest';
import { endBrowser, visit, type Visit } from '../helpers/webchat/site.ts';

endBrowser();

const begin = async (visited: Visit): Promise<void> => {
  await visited.launcher.click();
  await visited.write('Hello');
  await visited.panel.getByText(/Sent$/).waitFor();
};

const stored = ({ double }: Visit): string[] => [
  'Hi! How can we help?',
  ...double.table.only().rows.map(({ text }) => text),
];

test('a stream that has said nothing for 40 s is opened again, and what it did not bring is read', async () => {
  const visited = await visit();
  const { double, page, panel } = visited;
  await page.clock.install();
  await page.reload();
  await begin(visited);
  const visitor = double.table.only();
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  double.setFate((method) => (method === 'EVENT' ? { waitMs: 100_000_000 } : {}));
  double.table.say(visitor, { text: 'Never carried' });
  await page.clock.runFor(39_000);
  expect(await panel.getByText('Never carried').count()).toBe(0);
  expect(double.asked.filter((asked) => asked === 'GET stream').length).toBe(1);
  await page.clock.runFor(3_000);
  await panel.getByText('Never carried').waitFor();
});

test.each([429, 503] as const)(
  'a chat whose stream is refused with %i reads on, shows no trouble, and comes back to it',
  async (status) => {
    const visited = await visit();
    const { double, page, panel, write } = visited;
    await page.clock.install();
    await page.reload();
    await begin(visited);
    const visitor = double.table.only();
    await expect.poll(() => double.streamsOf(visitor)).toBe(1);
    double.setFate((_, route) => (route === 'stream' ? { status } : {}));
    double.cutStreams();
    const refused = () => double.asked.filter((asked) => asked === 'GET stream').length;
    for (let nth = 0; nth < 3; nth += 1) {
      double.table.say(visitor, { text: `Answer ${nth}` });
      const before = refused();
      await expect
        .poll(async () => {
          await page.clock.runFor(5_000);
          return refused();
        })
        .toBeGreaterThan(before);
      await panel.getByText(`Answer ${nth}`).waitFor();
      await page.clock.runFor(4_000);
      expect(await panel.getByText('Reconnecting').count()).toBe(0);
    }
    await write('Still here');
    await expect.poll(() => visitor.rows.at(-1)?.text).toBe('Still here');
    double.setFate(() => ({}));
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return double.streamsOf(visitor);
      })
      .toBe(1);
  },
);

test('a tab that leads and does not answer, as one that a phone has frozen, loses the lead to the one in front', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, page, context, url, texts } = visited;
  const visitor = double.table.only();
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  const held = await page.evaluate<string>('navigator.locks.query().then(({ held }) => held[0].name)');
  const frozen = await context.newPage();
  await frozen.route('**/*.js', (route) => route.abort());
  await frozen.goto(url);
  await frozen.evaluate(`new Promise((got) => navigator.locks.request('${held}', { steal: true }, () => {
    got();
    return new Promise(() => {});
  }))`);
  await expect.poll(() => double.streamsOf(visitor)).toBe(0);
  double.table.say(visitor, { text: 'Nobody listens' });
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  await expect.poll(() => texts()).toEqual(stored(visited));
});

test('a message in another conversation than the one before comes with those that answer it', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, write, texts } = visited;
  const visitor = double.table.only();
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  for (let talks = 0; talks < 3; talks += 1) {
    double.table.close(visitor);
    await write(`Question ${talks}`);
    await expect.poll(() => visitor.rows.at(-1)?.text).toBe(`Question ${talks}`);
    double.table.say(visitor, { text: `Answer ${talks}` });
    await expect.poll(() => texts()).toEqual(stored(visited));
  }
});

test('at most 50 messages wait for a connection: the next one stays in the field, and the chat says why', async () => {
  const visited = await visit();
  await begin(visited);
  const { double, panel, field, write, texts } = visited;
  double.setFate((method, route) => (method === 'POST' && route === 'messages' ? { cut: 'request' } : {}));
  for (let message = 1; message <= 51; message += 1) await write(`message ${message}`);
  await panel.getByText('Wait until your messages are sent.').waitFor();
  expect(await field.inputValue()).toBe('message 51');
  expect((await texts()).length).toBe(52);
  double.setFate(() => ({}));
  await visited.page.evaluate('dispatchEvent(new Event("online"))');
  await expect.poll(() => double.table.only().rows.length, { timeout: 30_000 }).toBe(51);
  await field.press('Enter');
  await expect.poll(() => double.table.only().rows.at(-1)?.text).toBe('message 51');
});

test('ten tabs of a browser have one stream, and tell typing as often as one', { timeout: 240_000 }, async () => {
  const visited = await visit();
  await begin(visited);
  const { double, page, openTab } = visited;
  const visitor = double.table.only();
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  const others = [];
  for (let nth = 1; nth < 10; nth += 1) {
    const tab = await openTab();
    const panel = tab.getByRole('dialog');
    await tab.locator('.launcher').or(panel).first().waitFor();
    if (!(await panel.isVisible())) await tab.locator('.launcher').click();
    await tab.getByText('Hello').waitFor();
    others.push(tab);
  }
  const typed = () => double.asked.filter((asked) => asked === 'POST typing').length;
  const beganMs = performance.now();
  for (const tab of [page, ...others]) await tab.locator('textarea').pressSequentially('half');
  await expect.poll(typed).toBeGreaterThan(0);
  expect(typed()).toBeLessThanOrEqual(1 + (performance.now() - beganMs) / 4_000);
  expect(double.streamsOf(visitor)).toBe(1);
  // Another one only after a silence.
  expect(double.asked.filter((asked) => asked === 'GET stream').length).toBeLessThan(5);
});
