import { expect, test } from 'vitest';
import { aFlowDefinition } from '../../helpers/flows.ts';
import { findBarriers } from '../helpers/axe.ts';
import { openBuilder, tabTo } from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

test('a link to the triggers opens the form of the start, also while the builder is there', async () => {
  const { page } = await openBuilder(both, aFlowDefinition());
  const heading = page.locator('.panel').getByRole('heading', { name: 'Start' });
  for (const key of ['first', 'second']) {
    // As a link of the page does.
    await page.evaluate(
      `history.pushState({ key: '${key}', usr: null }, '', '?tab=triggers'); dispatchEvent(new PopStateEvent('popstate', { state: history.state }))`,
    );
    await heading.waitFor();
    await page.locator('.panel').getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => heading.count()).toBe(0);
  }
});

test('triggers are written in the form of the start, which tells while one types that a word never wins', async () => {
  const { page, createLive, stored, id } = await openBuilder(both, aFlowDefinition());
  const winner = { type: 'keyword', match: 'contains', words: ['shirt'], priority: 5 };
  await createLive(aFlowDefinition({ triggers: [winner] }), `Winner ${markup}`);
  await page.goto(`${both.api.url}/flows/${id}?tab=triggers`);
  const panel = page.locator('.panel');
  await panel.getByRole('heading', { name: 'Start' }).waitFor();
  expect(await page.getByRole('tab', { name: 'Triggers' }).count()).toBe(0);
  await panel.getByRole('button', { name: 'Add trigger' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Message with a keyword' }).focus();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Words');
  await page.keyboard.type('Red shirt');
  await page.keyboard.press('Enter');
  await panel.getByText('Never wins:').waitFor();
  await panel.getByText(`“red shirt” goes to Winner ${markup} (higher priority)`).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.type(`hat ${markup}`);
  await page.keyboard.press('Enter');
  await panel.getByText('Never wins:').waitFor({ state: 'detached' });
  await panel.getByText(/“red shirt” goes to/).waitFor();
  await tabTo(page, 'Priority');
  await page.keyboard.type('7');
  await panel.getByText(/“red shirt” goes to/).waitFor({ state: 'detached' });
  await tabTo(page, /^Interrupt other flows/);
  await page.keyboard.press('Space');
  await panel.getByRole('button', { name: 'Add trigger' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Order status changes' }).focus();
  await page.keyboard.press('Enter');
  // The first field of what was added has the focus.
  await expect.poll(() => panel.getByLabel('New status (optional)').and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.type('shipped');
  await panel.getByRole('button', { name: 'Add trigger' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Link to the chat' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => panel.getByLabel('Payload of the link (optional)').and(page.locator(':focus')).count())
    .toBe(1);
  await page.keyboard.type('ref_');
  await panel.getByLabel('The payload', { exact: true }).click();
  await page.getByRole('option', { name: 'begins with this text' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findBarriers(page, { onlyLooks: true })).toEqual([]);
  await expect
    .poll(async () => (await stored()).triggers)
    .toEqual([
      { type: 'keyword', match: 'exact', words: ['Red shirt', `hat ${markup}`], priority: 7, interrupt: true },
      { type: 'order_status_changed', status: 'shipped' },
      { type: 'start_link', payload: 'ref_', match: 'prefix' },
    ]);
});
