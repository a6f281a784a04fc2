import { expect, test } from 'vitest';
import { anInboxAccount, log, writeNote } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

const ada = { external_id: 'ada', first_name: 'Ada' };

/** An open conversation, and what a colleague and the server do about it. */
const anOpenOne = async () => {
  const { session, call, write } = await anInboxAccount(api);
  const { conversation_id: id } = await write(ada, 'Hello?');
  const page = await web.open(`/inbox/${id}`, { session, alone: true });
  const field = page.getByRole('textbox', { name: 'Reply to Ada' });
  await field.waitFor();
  return {
    page,
    field,
    closeByColleague: async () => {
      await call('POST', `/conversations/${id}/close`);
      await page.getByText('This conversation is closed').waitFor();
    },
    /** Sends a reply that the server refuses. */
    sendInVain: async (text: string) => {
      await page.route(/conversations\/[^/]+\/messages$/, (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 422, json: {} }) : route.continue(),
      );
      await field.fill(text);
      await page.getByRole('button', { name: 'Send reply' }).click();
      await log(page).getByText('Not sent').first().waitFor();
    },
    edit: log(page).getByRole('button', { name: 'Edit reply' }),
  };
};

test('letters typed after a colleague closes the conversation do nothing, and the text stays', async () => {
  const { page, field, closeByColleague } = await anOpenOne();
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname);
  });
  await field.pressSequentially('Yes, w');
  await closeByColleague();
  await page.keyboard.type('e are / snu');
  expect(await field.inputValue()).toBe('Yes, w');
  // Left by Esc, single keys count again.
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Note for agents' }).waitFor();
  expect(posted.filter((path) => /(reopen|read|unread|snooze)$/.test(path))).toEqual([]);
});

test('a reply is written on once its conversation is open again', async () => {
  const { page, field, closeByColleague } = await anOpenOne();
  await field.fill('Yes, w');
  await closeByColleague();
  expect(await page.getByRole('button', { name: 'Send reply' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('button', { name: 'Send reply' }).waitFor();
  await field.press('End');
  await field.pressSequentially('e are.');
  await field.press('Control+Enter');
  await log(page).getByText('Yes, we are.').waitFor();
});

test('"Edit reply" takes the text back while a note is written', async () => {
  const { page, field, sendInVain, edit } = await anOpenOne();
  await sendInVain('Yes, two are left.');
  await writeNote(page);
  await page.getByRole('textbox', { name: 'Note for agents' }).waitFor();
  await edit.click();
  await expect.poll(() => field.inputValue()).toBe('Yes, two are left.');
  expect(await edit.count()).toBe(0);
});

test('"Edit reply" is offered once the conversation is open again, and takes the text back', async () => {
  const { page, field, closeByColleague, sendInVain, edit } = await anOpenOne();
  await sendInVain('Yes, two are left.');
  await closeByColleague();
  await expect.poll(() => edit.count()).toBe(0);
  await log(page).getByText('Yes, two are left.').waitFor();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await edit.click();
  await expect.poll(() => field.inputValue()).toBe('Yes, two are left.');
});
