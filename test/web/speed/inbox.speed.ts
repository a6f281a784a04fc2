import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { haveManyConversations, tellConversationsApart } from '../../helpers/states/conversations.ts';
import { log, rows } from '../helpers/inbox.ts';
import { useWeb } from '../helpers/web.ts';
import { tell } from './tell.ts';

const { api, web } = await useWeb();

const { accountId, session } = await api.createAccount();
await haveManyConversations(api.db, accountId, { contacts: 200, messages: 40 });
await tellConversationsApart(api.db, accountId);

/** How often each is measured, after turns in which the browser compiles. */
const turns = 10;
const before = 6;

/** Opens the conversation of a row of the list, and answers in how many ms its last message is painted. */
const timeOpening = (place: number) => `new Promise((done) => {
  const row = document.querySelectorAll('.inbox-row')[${place}];
  const text = row.querySelector('.inbox-excerpt').textContent;
  const begun = performance.now();
  const look = () => {
    const isThere = [...document.querySelectorAll('.inbox-log .talk')].at(-1)?.textContent.includes(text);
    requestAnimationFrame(isThere ? () => setTimeout(() => done(performance.now() - begun)) : look);
  };
  row.click();
  look();
})`;

/** In the page: resolves when nothing has been asked for during half a second. */
const untilQuiet = `new Promise((done) => {
  let asked = -1;
  const look = () => {
    const now = performance.getEntriesByType('resource').length;
    if (now === asked) done();
    else setTimeout(look, 500);
    asked = now;
  };
  performance.clearResourceTimings();
  look();
})`;

const openInbox = async (): Promise<Page> => {
  const page = await web.open('/inbox', { session, alone: true });
  await expect.poll(() => rows(page).count()).toBe(30);
  return page;
};

test('opening a conversation of forty messages, which the page has not read before', async () => {
  const page = await openInbox();
  const opened: number[] = [];
  // Upwards, because the one below is read ahead.
  for (let place = 29; place > 29 - turns - before; place -= 1) {
    opened.push(await page.evaluate<number>(timeOpening(place)));
    await page.evaluate(untilQuiet);
  }
  tell('opening a conversation', opened.slice(before));
  expect(opened).toHaveLength(turns + before);
});

test('opening the next conversation, which the page has read ahead', async () => {
  const page = await openInbox();
  const opened: number[] = [];
  await page.evaluate(timeOpening(0));
  for (let place = 1; place <= turns + before; place += 1) {
    await page.evaluate(untilQuiet);
    opened.push(await page.evaluate<number>(timeOpening(place)));
  }
  tell('opening a conversation that was read ahead', opened.slice(before));
  expect(opened).toHaveLength(turns + before);
});

test('a reply, from the key until it is painted in the thread', async () => {
  const page = await openInbox();
  await page.evaluate(timeOpening(0));
  const sent: number[] = [];
  for (let turn = 0; turn < turns + before; turn += 1) {
    const text = `Reply ${turn}.`;
    const field = page.getByRole('textbox', { name: /^Reply to/ });
    await field.fill(text);
    const painted = page.evaluate<number>(`new Promise((done) => {
      addEventListener('keydown', () => {
        const begun = performance.now();
        const look = () => {
          const isThere = [...document.querySelectorAll('.inbox-log .talk')].at(-1)?.textContent.includes(${JSON.stringify(text)});
          if (isThere) setTimeout(() => done(performance.now() - begun));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, { capture: true, once: true });
    })`);
    await field.press('Control+Enter');
    sent.push(await painted);
    await log(page).getByText(text).waitFor();
  }
  tell('a reply in the thread', sent.slice(before));
  expect(sent).toHaveLength(turns + before);
});
