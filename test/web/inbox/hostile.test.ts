import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import { anInboxAccount, log, rows } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const attack = (name: string): string => `<img src=x onerror="window.hacked='${name}'">`;

test('what a contact writes and is called runs nothing anywhere in the inbox, and is shown as text', async () => {
  const { session, call, write } = await anInboxAccount(api);
  const sender = { external_id: 'mallory', first_name: attack('first'), last_name: attack('last') };
  const { conversation_id: id, contact_id: contactId } = await write(sender, attack('text'));
  const changes = { custom_fields: { size: attack('field') } };
  await call('PATCH', `/contacts/${contactId}`, changes);
  await call('PUT', `/contacts/${contactId}/tags/${encodeURIComponent(attack('tag'))}`);
  await call('POST', `/conversations/${id}/notes`, { text: attack('note') });
  await call('POST', `/contacts/${contactId}/messages`, {
    text: attack('sent'),
    quick_replies: [attack('q').slice(0, 20)],
  });
  await call('POST', '/canned-replies', { shortcut: 'evil', text: `{{first_name}} ${attack('canned')}` });
  const page = await web.open(`/inbox/${id}`, { session, viewport: { width: 1440, height: 900 } });
  await log(page).getByText(attack('text')).waitFor();
  await log(page).getByText(attack('note')).waitFor();
  await log(page).getByText(attack('sent')).waitFor();
  await rows(page).getByText(attack('first')).waitFor();
  const context = page.getByRole('region', { name: 'Details of the contact' });
  await context.getByText(attack('field')).waitFor();
  await context.getByText(attack('tag')).first().waitFor();
  await page.getByRole('textbox', { name: /^Reply to/ }).fill('/evil');
  await page.getByRole('option', { name: /evil/ }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: /^Reply to/ }).inputValue())
    .toBe(`${attack('first')} ${attack('canned')}`);
  await context.getByText('Timeline').click();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: /Find/ }).fill('<img');
  await page
    .getByText(`Conversation with ${attack('first')}`, { exact: false })
    .first()
    .waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('img[src=x]').count()).toBe(0);
});

test('an owner writes, changes, finds and deletes canned replies, and an agent reads them', async () => {
  const { session, colleague } = await anInboxAccount(api);
  const page = await web.open('/settings/canned-replies', { session });
  await page.getByText('No canned replies yet').waitFor();
  await page.getByRole('button', { name: 'Create reply' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Shortcut').fill('not one');
  await form.getByLabel('Text').fill('Hi {{first_name}}');
  await form.getByRole('button', { name: 'Create reply' }).click();
  await form.locator('[aria-invalid=true]').first().waitFor();
  await form.getByLabel('Shortcut').fill('hello');
  expect(await findBarriers(page)).toEqual([]);
  await form.getByRole('button', { name: 'Create reply' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText('Hi {{first_name}}').waitFor();
  const other = await web.open('/settings/canned-replies', { session: colleague, alone: true });
  await other.getByText('Hi {{first_name}}').waitFor();
  expect(await other.getByRole('button', { name: /Create reply|Edit|Delete/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Edit /hello' }).click();
  await form.getByLabel('Text').fill(attack('text'));
  await form.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('main').getByText(attack('text')).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  await page.getByRole('button', { name: 'Delete /hello?' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No canned replies yet').waitFor();
});
