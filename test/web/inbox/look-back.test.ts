import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exampleId, newUuid } from '../../../src/shared/ids.ts';
import { anInboundMessage } from '../../helpers/builders.ts';
import { findBarriers } from '../helpers/axe.ts';
import { anInboxAccount, log, rows, said } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const ada = { external_id: 'ada', first_name: 'Ada', last_name: null };
const textOf = (place: number): string => (place === 100 ? 'Where is my hedgehog?' : `Message ${place}`);
const texts = (count: number) => Array.from({ length: count }, (_, place) => textOf(place));

/** A conversation of so many messages, of which the hundredth is the one that is looked for. */
const aLongOne = async (count = 600) => {
  const account = await anInboxAccount(api);
  const messages = texts(count).map((text) => anInboundMessage({ sender: ada, text }));
  for (let from = 0; from < count; from += 100)
    await account.call('POST', `/channels/${account.channelId}/inbound`, messages.slice(from, from + 100));
  const { data } = await account.call<{ data: { id: string }[] }>('GET', '/conversations');
  return { ...account, id: data[0]?.id ?? expect.fail('there is no conversation') };
};

const found = (page: Page) =>
  log(page)
    .locator('.talk')
    .filter({ hasText: textOf(100) });

const hasFocus = async (page: Page): Promise<boolean> =>
  (await page.evaluate('document.activeElement.dataset.id')) === (await found(page).getAttribute('data-id'));

const openFound = async (page: Page): Promise<void> => {
  await page.getByRole('searchbox', { name: 'Search by contact or text' }).fill('hedgehog');
  await rows(page).getByText('Where is my').click();
  await found(page).waitFor();
};

/** How far the message stands below the top of the thread, in px. */
const topOf = async (page: Page): Promise<number> => {
  const [inner, outer] = [await found(page).boundingBox(), await log(page).boundingBox()];
  return Math.round((inner?.y ?? 0) - (outer?.y ?? 0));
};

const inTheMiddle = async (page: Page): Promise<void> => {
  await expect
    .poll(async () => {
      const [inner, outer] = [await found(page).boundingBox(), await log(page).boundingBox()];
      const below = (inner?.y ?? 0) + (inner?.height ?? 0) / 2 - (outer?.y ?? 0);
      return Math.abs(below / (outer?.height ?? 1) - 0.5);
    })
    .toBeLessThan(0.1);
};

/** Turns the wheel over the thread until a text is there, and checks at every step that what is shown has neither gaps nor doubles. */
const wheelTo = async (page: Page, text: string, by: number): Promise<void> => {
  await log(page).hover();
  const broken: string[][] = [];
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, by);
        const shown = await said(page);
        const first = shown[0] === textOf(100) ? 100 : Number(shown[0]?.slice('Message '.length));
        if (shown.some((one, place) => one !== textOf(first + place))) broken.push(shown);
        return shown;
      },
      { timeout: 60_000 },
    )
    .toContain(text);
  expect(broken).toEqual([]);
};

test('a message that was found is opened where it stands, and both ways lead on without a gap or a double', async () => {
  const { session } = await aLongOne();
  const page = await web.open('/inbox', { session });
  await openFound(page);
  expect(await hasFocus(page)).toBe(true);
  expect(await found(page).getAttribute('data-found')).toBe('');
  await inTheMiddle(page);
  expect((await said(page)).length).toBeLessThan(200);
  expect(await findBarriers(page)).toEqual([]);
  await expect.poll(() => found(page).getAttribute('data-found')).toBe(null);

  await wheelTo(page, textOf(0), -700);
  await page.getByText('Conversation opened').waitFor();
  await wheelTo(page, textOf(599), 2_000);
  expect(await said(page)).toEqual(texts(600));
  await expect.poll(() => page.getByRole('button', { name: 'Show newest' }).count()).toBe(0);
});

test('what comes while an earlier part is read moves nothing, and is there at the newest', async () => {
  const { session, colleague, id, write, call } = await aLongOne();
  const page = await web.open('/inbox', { session });
  await openFound(page);
  await page.getByRole('button', { name: 'Show newest' }).waitFor();
  const [before, shown] = [await topOf(page), await said(page)];
  await write(ada, 'Are you there?');
  await page.getByRole('button', { name: 'Show new messages' }).waitFor();
  await call('POST', `/conversations/${id}/notes`, { text: 'She has waited' });
  expect([await topOf(page), await said(page)]).toEqual([before, shown]);
  expect((await call<{ unread: number }>('GET', `/conversations/${id}`)).unread).toBeGreaterThan(0);

  // Nor is an answer sent that did not see a colleague's.
  await api.request('POST', `/dashboard/api/conversations/${id}/messages`, {
    session: colleague,
    body: { text: 'Ana here', client_ref: newUuid() },
  });
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('Ben here');
  await page.getByRole('button', { name: 'Send reply' }).click();
  const asked = page.getByRole('alert').filter({ hasText: 'Ana Berg answered in the meantime' });
  await asked.getByRole('button', { name: 'Discard reply' }).click();
  expect(new URL(page.url()).hash).toBe('');
  const end = [textOf(599), 'Are you there?', 'She has waited', 'Ana here'];
  await expect.poll(async () => (await said(page)).slice(-4)).toEqual(end);
});

test('the newest is one click away, and new messages come there once each', async () => {
  const { session, write } = await aLongOne(300);
  const page = await web.open('/inbox', { session });
  await openFound(page);
  await write(ada, 'First of the new');
  await page.getByRole('button', { name: 'Show new messages' }).click();
  await log(page).getByText('First of the new').waitFor();
  await write(ada, 'Second of the new');
  await log(page).getByText('Second of the new').waitFor();
  expect((await said(page)).slice(-3)).toEqual([textOf(299), 'First of the new', 'Second of the new']);
  // The row leads back to the message.
  await rows(page).getByText('Where is my').click();
  await found(page).waitFor();
  await expect.poll(() => hasFocus(page)).toBe(true);
});

test('a thread that is read down to its newest message goes on live', async () => {
  const { session, write } = await aLongOne(200);
  const page = await web.open('/inbox', { session });
  await openFound(page);
  await wheelTo(page, textOf(199), 2_000);
  await write(ada, 'Message 200');
  await log(page).getByText('Message 200').waitFor();
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('Message 201');
  await page.getByRole('textbox', { name: 'Reply to Ada' }).press('Control+Enter');
  await log(page).getByText('Message 201').waitFor();
  await page.getByText('Agent: Ben Ito').waitFor();
  const shown = await said(page);
  expect(shown).toEqual(texts(202).slice(-shown.length));
});

test('an address keeps the message over a reload, and one that is gone leads to the newest', async () => {
  const { session, id } = await aLongOne(200);
  const page = await web.open('/inbox', { session, viewport: { width: 360, height: 780 } });
  await openFound(page);
  await page.reload();
  await found(page).waitFor();
  await inTheMiddle(page);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${api.url}/inbox/${id}#${exampleId('message')}`);
  await page.getByText('The message was not found').waitFor();
  await log(page).getByText(textOf(199)).waitFor();
  expect(new URL(page.url()).hash).toBe('');
});

test('with reduced motion a message that was found is marked for a moment without moving', async () => {
  const { session } = await aLongOne(200);
  const page = await web.open('/inbox', { session });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openFound(page);
  const style = (name: string) => page.evaluate(`getComputedStyle(document.querySelector('[data-found]')).${name}`);
  expect([await style('animationDuration'), await style('animationTimingFunction')]).toEqual(['3s', 'steps(1)']);
  await expect.poll(() => found(page).getAttribute('data-found')).toBe(null);
});
