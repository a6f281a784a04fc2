import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { endBrowser, visit } from '../helpers/webchat/site.ts';

endBrowser();

test('under a strict policy with Trusted Types a visitor and a business talk, without a breach', async () => {
  const { double, page, launcher, panel, field, write, texts, complaints } = await visit();
  await launcher.click();
  await panel.getByText('Hi! How can we help?').waitFor();
  expect(double.table.visitors.size).toBe(0);
  await expect
    .poll(() => field.evaluate((element: { matches: (is: string) => boolean }) => element.matches(':focus')))
    .toBe(true);
  await write('Where is my order?');
  await panel.getByText(/Sent$/).waitFor();
  const visitor = double.table.only();
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  double.table.setTyping(visitor, { bot: true });
  await panel.getByText('Assistant is typing').waitFor();
  double.table.setTyping(visitor, { bot: false });
  double.table.say(visitor, { text: 'Which one: https://shop.example/orders/7?', quick_replies: ['1042', '1043'] });
  await panel.getByRole('button', { name: '1042' }).click();
  await expect
    .poll(() => texts())
    .toEqual(['Hi! How can we help?', 'Where is my order?', 'Which one: https://shop.example/orders/7?', '1042']);
  await expect
    .poll(() => visitor.rows.map(({ text, direction }) => `${direction} ${text}`))
    .toEqual(['visitor Where is my order?', 'business Which one: https://shop.example/orders/7?', 'visitor 1042']);
  await expect.poll(() => visitor.rows[1]?.read_at).not.toBeNull();
  expect(await panel.getByRole('link').getAttribute('href')).toBe('https://shop.example/orders/7');
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate('window.breaches')).toEqual([]);
  expect(complaints()).toEqual([]);
});

test('opening the chat makes no contact and no connection', async () => {
  const { double, launcher, panel } = await visit();
  await launcher.click();
  await panel.getByText('Hi! How can we help?').waitFor();
  await panel.getByLabel('Close chat').click();
  await panel.waitFor({ state: 'hidden' });
  expect(double.asked.filter((asked) => !/loader|widget|config/.test(asked))).toEqual([]);
});

test('a second script on the page adds no second chat, and destroy leaves nothing', async () => {
  const { double, page, launcher, panel, write } = await visit({ policy: () => 'object-src *' });
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  const visitor = double.table.only();
  await expect.poll(() => double.streamsOf(visitor)).toBe(1);
  const addScript = async () =>
    page.evaluate(`new Promise((done) => {
      const script = document.createElement('script');
      script.addEventListener('load', () => done(true));
      script.src = ${JSON.stringify(double.script)};
      document.body.append(script);
    })`);
  await addScript();
  expect(await page.locator('parley-webchat').count()).toBe(1);
  await page.evaluate('ParleyWebchat.destroy()');
  await expect.poll(() => double.streamsOf(visitor)).toBe(0);
  expect(
    await page.evaluate('[document.querySelectorAll("parley-webchat").length, "ParleyWebchat" in window]'),
  ).toEqual([0, false]);
  const asked = double.asked.length;
  await page.evaluate('dispatchEvent(new Event("online")); document.dispatchEvent(new Event("visibilitychange"))');
  await addScript();
  await launcher.waitFor();
  await panel.getByText('Hello').waitFor();
  expect(double.asked.slice(asked).filter((one) => one === 'POST messages')).toEqual([]);
});
