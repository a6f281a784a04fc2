import { expect, test } from 'vitest';
import { anInboxAccount, log, rows } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

test.for([
  ['Hebrew', 'שלום, איפה ההזמנה שלי?', 'דנה', 'rtl'],
  ['Arabic', 'مرحبا، أين طلبي؟', 'ليلى', 'rtl'],
  ['English', 'Hello, where is my order?', 'Ada', 'ltr'],
] as const)('what is written in %s is laid out in its direction', async ([, text, name, direction]) => {
  const { session, write, call } = await anInboxAccount(api);
  const { conversation_id: id, contact_id: contactId } = await write({ external_id: 'one', first_name: name }, text);
  const page = await web.open(`/inbox/${id}`, { session });
  const field = page.getByRole('textbox', { name: 'Reply to' });
  await field.fill(text);
  const excerpt = rows(page).locator('.inbox-excerpt');
  await log(page).getByText(text).waitFor();
  await excerpt.getByText(text).waitFor();
  const directionOf = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`);
  for (const selector of ['#composer', '.talk-text', '.inbox-excerpt', '.inbox-name'])
    await expect.poll(() => directionOf(selector)).toBe(direction);
  // Who has written it stands before it, and does not turn it.
  await call('POST', `/contacts/${contactId}/messages`, { text });
  await expect.poll(() => excerpt.textContent()).toContain('API: ');
  expect(await directionOf('.inbox-excerpt')).toBe(direction);
  expect(await excerpt.locator('bdi').allTextContents()).toContain('API:');
});
