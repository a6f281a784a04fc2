import { expect, test } from 'vitest';
import { aWebchat } from '../../helpers/webchat/visitor.ts';
import { useWeb } from '../helpers/web.ts';
import { tell } from './tell.ts';

const { api, web } = await useWeb();

const channel = await aWebchat(api, await api.createAccount(), { greeting: 'Hi! How can we help?' });

/** 10 Mbit a second, and 100 ms until an answer begins. */
const line = { offline: false, latency: 100, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };

const turns = 10;

/** In the page: resolves, with the ms since `begun`, when a selector of the widget is painted. */
const untilPainted = (selector: string, begun: string, act = '') => `new Promise((done) => {
  const begun = ${begun};
  ${act}
  const look = () => {
    const root = document.querySelector('parley-webchat')?.shadowRoot;
    if (root?.querySelector(${JSON.stringify(selector)})) setTimeout(() => done(performance.now() - begun));
    else requestAnimationFrame(look);
  };
  look();
})`;

const clickLauncher = `document.querySelector('parley-webchat').shadowRoot.querySelector('.launcher').click();`;

test('the launcher and the chat over a line of 10 Mbit and 100 ms, for a browser that has nothing of them', async () => {
  const page = await web.open('/sign-in', { alone: true });
  const cdp = await page.context().newCDPSession(page);
  const launchers: number[] = [];
  const chats: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await page.goto('about:blank');
    await cdp.send('Network.clearBrowserCache');
    await cdp.send('Network.emulateNetworkConditions', line);
    await page.goto(`${api.url}/webchat/${channel.id}/demo`, { waitUntil: 'commit' });
    launchers.push(await page.evaluate<number>(untilPainted('.launcher', '0')));
    await page.waitForLoadState('networkidle');
    chats.push(await page.evaluate<number>(untilPainted('.message', 'performance.now()', clickLauncher)));
  }
  tell('the launcher, since the page was asked for', launchers);
  tell('the chat, from the click to its greeting', chats);
  expect(chats).toHaveLength(turns);
});

test('a message of the visitor, from the key until it is painted', async () => {
  const page = await web.open(`/webchat/${channel.id}/demo`, { alone: true });
  await page.locator('.launcher').click();
  const field = page.locator('textarea');
  const sent: number[] = [];
  for (let turn = 0; turn < turns + 2; turn += 1) {
    await field.fill(`Message ${turn}`);
    const painted = page.evaluate<number>(`new Promise((done) => {
      const { shadowRoot } = document.querySelector('parley-webchat');
      shadowRoot.addEventListener('keydown', () => {
        const begun = performance.now();
        const before = shadowRoot.querySelectorAll('.message').length;
        const look = () => {
          if (shadowRoot.querySelectorAll('.message').length > before) setTimeout(() => done(performance.now() - begun));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, { capture: true, once: true });
    })`);
    await field.press('Enter');
    sent.push(await painted);
    await page.getByText(/Sent$/).last().waitFor();
  }
  tell('a message in the chat', sent.slice(2));
  expect(sent).toHaveLength(turns + 2);
});
