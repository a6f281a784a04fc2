import { expect, test } from 'vitest';
import { endBrowser, visit, type SiteOptions, type Visit } from '../helpers/webchat/site.ts';

endBrowser();

const phone: SiteOptions = { context: { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true } };

/** What of the chat has the keyboard. */
const focused = ({ page }: Visit) =>
  page.evaluate(`(() => {
    const { activeElement } = document.querySelector('parley-webchat').shadowRoot;
    return activeElement && (activeElement.className || activeElement.localName);
  })()`);

const begin = async (options: SiteOptions = {}): Promise<Visit> => {
  const visited = await visit(options);
  await visited.launcher.click();
  await visited.write('Hello');
  await visited.panel.getByText(/Sent$/).waitFor();
  return visited;
};

/** A message that was refused; the next one is not. */
const refuse = async ({ double, panel, write }: Visit): Promise<void> => {
  double.setFate((_, route) => (route === 'messages' ? { status: 400 } : {}));
  await write('Refused');
  await panel.getByText('Not sent').waitFor();
  double.setFate(() => ({}));
};

/** So many messages on another page, whose chat shows the latest ones. */
const sayMany = async ({ double, page, panel }: Visit): Promise<void> => {
  double.setFate((method) => (method === 'EVENT' ? { cut: 'request' } : {}));
  for (let said = 1; said <= 60; said += 1) double.table.say(double.table.only(), { text: `message ${said}` });
  double.setFate(() => ({}));
  await page.reload();
  // On a phone the chat covers no next page.
  await page.evaluate("(window.ParleyWebchat ||= []).push(['open'])");
  await panel.getByText('message 60').waitFor();
};

const attach = async ({ panel }: Visit): Promise<void> => {
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) };
  await panel.locator('input[type=file]').setInputFiles(file);
};

const offer = async ({ double, panel }: Visit): Promise<void> => {
  double.table.say(double.table.only(), { text: 'Which size?', quick_replies: ['S'] });
  await panel.getByRole('button', { name: 'S', exact: true }).waitFor();
};

const scrollUp = async (visited: Visit): Promise<void> => {
  await sayMany(visited);
  await visited.page.evaluate(
    `document.querySelector('parley-webchat').shadowRoot.querySelector('.scroll').scrollTop = 400`,
  );
};

const vanishing: [string, (visited: Visit) => Promise<void>, string][] = [
  ['Retry', refuse, '.failed .word:nth-of-type(1)'],
  ['Remove', refuse, '.failed .word:nth-of-type(2)'],
  ['a file is removed', attach, '.files button'],
  ['the latest messages are shown', scrollUp, '.jump'],
  ['the last older messages are shown', sayMany, '.older'],
  ['a quick reply is chosen', offer, '.reply'],
];

test.for(vanishing)('the keyboard is in the field once a button is gone: %s', async ([, prepare, button]) => {
  const visited = await begin();
  const { page, panel } = visited;
  await prepare(visited);
  await panel.locator(button).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => panel.locator(button).and(page.locator(':visible')).count()).toBe(0);
  await expect.poll(() => focused(visited)).toBe('textarea');
});

test.for(vanishing)(
  'a phone shows no keyboard over the thread once a button is gone: %s',
  async ([, prepare, button]) => {
    const visited = await begin(phone);
    const { page, panel } = visited;
    await prepare(visited);
    await panel.locator(button).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => panel.locator(button).and(page.locator(':visible')).count()).toBe(0);
    await expect.poll(() => focused(visited)).toBe('scroll');
  },
);

test('the button that adds files keeps the keyboard when no more can be added', async () => {
  const visited = await begin();
  const { page, panel } = visited;
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) };
  const chooser = `document.querySelector('parley-webchat').shadowRoot.querySelector('.attach')`;
  await page.evaluate(`${chooser}.focus()`);
  await panel.locator('input[type=file]').setInputFiles(Array.from({ length: 10 }, () => file));
  await expect.poll(() => page.evaluate(`${chooser}.getAttribute('aria-disabled')`)).toBe('true');
  expect(await focused(visited)).toBe('attach');
});
