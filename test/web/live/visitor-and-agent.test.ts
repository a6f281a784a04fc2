import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { startNetwork } from '../helpers/talk/network.ts';
import { startSetting, type Setting } from '../helpers/talk/setting.ts';
import { noteBreaches, serveSite, shopPage, strictPolicy, textsOfChat } from '../helpers/webchat/site.ts';

/** `LIVE_SEEDS=5` in the environment has it try so many networks. */
const seeds = Number(process.env['LIVE_SEEDS'] ?? 1);

/** With `LIVE_SHOTS=1` pictures of each step go into `shots/live/`. */
const shots = process.env['LIVE_SHOTS'] === '1' ? 'shots/live' : undefined;

let browser: Browser;
let setting: Setting;

beforeAll(async () => {
  [browser, setting] = await Promise.all([launchChromium(), startSetting()]);
});

afterAll(async () => {
  await browser.close();
  await setting.stop();
});

const textsOfLog = `[...document.querySelectorAll('[role=log] .talk:not([data-by=note])')]
  .map((said) => said.querySelector('.talk-text')?.textContent)`;

/** What the flow says. */
const ofFlow = 3;

const differsFrom = (table: readonly string[], page: string, shown: readonly string[]): string[] =>
  JSON.stringify(table) === JSON.stringify(shown) ? [] : [`${page}: ${shown.join(', ')}`];

const shoot = async (name: string, pages: Readonly<Record<string, Page>>): Promise<void> => {
  if (shots === undefined) return;
  await mkdir(shots, { recursive: true });
  for (const [who, page] of Object.entries(pages)) await page.screenshot({ path: `${shots}/${name}-${who}.png` });
};

test.each(Array.from({ length: seeds }, (_, place) => place + 1))(
  'a visitor and an agent lose, repeat and reorder nothing over cuts, sleep and a kill (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    await using ends = new AsyncDisposableStack();
    const { installation, baseUrl, session, addWebchat, readTable } = setting;
    const toVisitor = await startNetwork(baseUrl, seed);
    ends.defer(toVisitor.stop);
    const toAgent = await startNetwork(baseUrl, seed + 1_000);
    ends.defer(toAgent.stop);
    // The script's address has the channel, whose origins have the site.
    let page = '';
    const site = await serveSite({ policy: strictPolicy(toVisitor.url), body: () => page });
    ends.defer(site.stop);
    const webchat = await addWebchat(new URL(site.url).origin);
    page = shopPage(`${toVisitor.url}/webchat/${webchat}.js`);

    const shopper = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    ends.defer(() => shopper.close());
    await shopper.addInitScript(noteBreaches);
    const desk = await browser.newContext({
      locale: 'en-GB',
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    });
    ends.defer(() => desk.close());
    await desk.addCookies([{ name: 'parley_session', value: session, url: toAgent.url }]);
    for (const context of [shopper, desk]) context.setDefaultTimeout(30_000);

    const chat = await shopper.newPage();
    const inbox = await desk.newPage();
    await chat.goto(site.url);
    await inbox.goto(`${toAgent.url}/inbox`);
    const write = async (text: string, tab = chat): Promise<void> => {
      await tab.locator('textarea').fill(text);
      await tab.locator('textarea').press('Enter');
    };
    const reply = async (text: string): Promise<void> => {
      await inbox.getByRole('textbox', { name: /^Reply to/ }).fill(text);
      await inbox.getByRole('textbox', { name: /^Reply to/ }).press('Control+Enter');
    };
    const inChat = (text: string, tab = chat) => tab.getByRole('dialog').getByText(text, { exact: true }).waitFor();
    const inInbox = (text: string) => inbox.getByRole('log').getByText(text, { exact: true }).waitFor();

    // A flow greets and asks, and hands over.
    await chat.locator('.launcher').click();
    await write('hello');
    await inChat('What is it about?');
    await shoot('1-greeted', { chat, inbox });
    await chat.getByRole('button', { name: 'A person, please' }).click();
    await inChat('An agent takes over.');

    // The agent finds who waits, and answers.
    await inbox
      .getByRole('link', { name: /^Waiting/ })
      .first()
      .click();
    await inbox.locator('.inbox-row').first().click();
    await inInbox('An agent takes over.');
    await shoot('2-handed-over', { chat, inbox });
    await reply('Ada here. What can I do for you?');
    await inChat('Ada here. What can I do for you?');
    await shoot('3-taken', { chat, inbox });

    // Both write over a bad network, in which the visitor loads the page again.
    const asked = ['hello', 'A person, please'];
    const answered = ['Ada here. What can I do for you?'];
    const ask = async (text: string, tab = chat): Promise<void> => {
      asked.push(text);
      await write(text, tab);
    };
    const answer = async (text: string): Promise<void> => {
      answered.push(text);
      await reply(text);
    };
    for (const network of [toVisitor, toAgent]) network.setCalm(false);
    for (let round = 1; round <= 4; round += 1) {
      await ask(`asked ${round}`);
      await answer(`answered ${round}`);
      if (round % 2 === 0) for (const network of [toVisitor, toAgent]) network.cutStreams();
      if (round === 3) await chat.reload();
    }
    await inChat('answered 4');
    await inInbox('asked 4');
    await shoot('4-bad-network', { chat, inbox });

    // A second tab of the visitor's.
    const second = await shopper.newPage();
    await second.goto(site.url);
    await second.locator('.launcher').click();
    await ask('asked in a second tab', second);
    await ask('asked in the first one');
    await inInbox('asked in the first one');

    // The visitor's device sleeps, and is offline when it wakes.
    const cdp = await Promise.all([chat, second].map((tab) => shopper.newCDPSession(tab)));
    const setState = (state: 'frozen' | 'active') =>
      Promise.all(cdp.map((tab) => tab.send('Page.setWebLifecycleState', { state })));
    await setState('frozen');
    toVisitor.cutStreams();
    await answer('answered while they sleep');
    await shopper.setOffline(true);
    await setState('active');
    await ask('asked without a network');
    await shoot('5-offline', { chat, second, inbox });
    await shopper.setOffline(false);
    await inChat('answered while they sleep', second);
    await inInbox('asked without a network');

    // The service is killed with all that it does, and starts again.
    await Promise.all([ask('asked at the kill'), answer('answered at the kill')]);
    await installation.service.kill();
    await ask('asked while it is away', second);
    await answer('answered while it is away');
    await shoot('6-killed', { chat, second, inbox });
    await installation.service.start();
    await ask('asked after the start');
    for (const network of [toVisitor, toAgent]) network.setCalm(true);
    await answer('answered after the start');

    /** Each list of a page that is not the table, and how far the table is from what was written. */
    const differences = async (): Promise<string[]> => {
      const again = inbox.getByRole('alert').getByRole('button', { name: 'Try again' });
      if ((await again.count()) > 0) await again.first().click();
      const all = (await readTable(webchat)).map(({ text }) => text);
      const ofVisitor = ['Hi! How can we help?', ...all];
      const missing = asked.length + answered.length + ofFlow - all.length;
      return [
        ...(missing === 0 ? [] : [`${missing} missing in ${all.join(', ')}`]),
        ...differsFrom(ofVisitor, 'chat', await chat.evaluate<string[]>(textsOfChat)),
        ...differsFrom(ofVisitor, 'second tab', await second.evaluate<string[]>(textsOfChat)),
        ...differsFrom(all, 'inbox', await inbox.evaluate<string[]>(textsOfLog)),
      ];
    };
    await expect.poll(differences, { timeout: 90_000 }).toEqual([]);
    await shoot('7-whole', { chat, second, inbox });
    const table = await readTable(webchat);
    expect(table.filter(({ direction }) => direction === 'inbound').map(({ text }) => text)).toEqual(asked);
    expect(table.filter(({ user }) => user).map(({ text }) => text)).toEqual(answered);
    for (const tab of [chat, second]) expect(await tab.evaluate('breaches')).toEqual([]);
  },
);
