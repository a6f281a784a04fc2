import type { Page } from 'playwright-core';
import { createSession } from '../../../src/shared/accounts/sessions.ts';
import { showId } from '../../../src/shared/ids.ts';
import type { TestApi } from '../../helpers/api.ts';
import { anInboundMessage } from '../../helpers/builders.ts';
import { aColleague } from '../../helpers/states/accounts.ts';

type Message = { id: string; contact_id: string; conversation_id: string };

/** An account with a channel, on which contacts write, and a second agent. */
export const anInboxAccount = async (api: TestApi, callbackUrl: string | null = null) => {
  const account = await api.createAccount();
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    (await api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...(body !== undefined && { body }) })).body;
  const channel = await call<{ id: string }>('POST', '/channels', {
    type: 'api',
    name: '<b>Shop</b>',
    callback_url: callbackUrl,
  });
  const write = async (sender: object, text: string): Promise<Message> => {
    const body = anInboundMessage({ sender: { external_id: 'x', ...sender }, text });
    const { message } = await call<{ message: Message }>('POST', `/channels/${channel.id}/inbound`, body);
    return call<Message>('GET', `/messages/${message.id}`);
  };
  const colleague = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
  await api.request('PATCH', '/dashboard/api/profile', { session: colleague, body: { name: 'Ana Berg' } });
  await api.request('PATCH', '/dashboard/api/profile', { session: account.session, body: { name: 'Ben Ito' } });
  return { ...account, me: showId('user', account.userId), colleague, call, channelId: channel.id, write };
};

/** The thread that is open. */
export const log = (page: Page) => page.getByRole('log', { name: 'Messages' });

/** The texts of the thread, from above. */
export const said = (page: Page) => log(page).locator('.talk-text').allTextContents();

/** Turns the composer to notes. */
export const writeNote = (page: Page) =>
  page.getByRole('radiogroup', { name: 'Write' }).getByText('Note', { exact: true }).click();

/** The rows of the list. */
export const rows = (page: Page) => page.locator('.inbox-row');
