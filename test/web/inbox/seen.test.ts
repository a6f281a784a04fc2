import { expect, test } from 'vitest';
import { anInboxAccount, log, rows } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();

const ada = { external_id: 'ada', first_name: 'Ada' };

type Conversation = { status: string; unread: number };

/** A conversation that an agent has open, whose page hears of nothing from now on. */
const anOpenOne = async () => {
  const { session, call, write } = await anInboxAccount(live.api);
  const { conversation_id: id } = await write(ada, 'Hello?');
  const page = await web.open(`/inbox/${id}`, { session });
  await log(page).getByText('Hello?').waitFor();
  const read = () => call<Conversation>('GET', `/conversations/${id}`);
  await expect.poll(read).toMatchObject({ unread: 0 });
  await page.route('**/changes?**', (route) => route.fulfill({ status: 404, json: {} }));
  return { page, read, write: (text: string) => write(ada, text) };
};

test('a reply that closes leaves the conversation open for what the contact wrote meanwhile', async () => {
  const { page, read, write } = await anOpenOne();
  await write('And a red one?');
  await page.getByRole('textbox', { name: 'Reply to Ada' }).fill('You are welcome.');
  await page.getByRole('button', { name: 'More ways to send' }).click();
  await page.getByRole('menuitem', { name: 'Send and close' }).click();
  await page.getByText('Sent. The conversation is open: the contact may have written meanwhile').waitFor();
  expect(await read()).toMatchObject({ status: 'open' });
});

test('a message that comes before a page has shown it stays unread until it is shown', async () => {
  const { session, call, write } = await anInboxAccount(live.api);
  const { conversation_id: id } = await write(ada, 'Hello?');
  const read = () => call<Conversation>('GET', `/conversations/${id}`);
  const [marked, shown] = [Promise.withResolvers<unknown>(), Promise.withResolvers<void>()];
  const page = await web.open('/inbox', { session, alone: true });
  await page.route('**/changes?**', async (route) => {
    await shown.promise;
    await route.continue();
  });
  await page.route('**/read', async (route) => {
    await page.unroute('**/read');
    await write(ada, 'And a red one?');
    const response = await route.fetch();
    await route.fulfill({ response });
    marked.resolve(await response.json());
  });
  await rows(page).click();
  await log(page).getByText('Hello?').waitFor();
  expect(await marked.promise).toMatchObject({ unread: 1 });
  shown.resolve();
  await log(page).getByText('And a red one?').waitFor();
  await expect.poll(read).toMatchObject({ unread: 0 });
});
