import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readId, showId } from '../../src/shared/ids.ts';
import { listWords } from '../../src/web/words/lists.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const bar = (page: Page) => page.getByRole('group', { name: 'Actions for the selected rows' });
const selectAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

const anAccount = async () => {
  const account = await api.createAccount();
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    (await api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...(body !== undefined && { body }) })).body;
  return { ...account, call };
};

type Named = { first_name: string };
type Conversation = { id: string; status: string; assigned_to: string | null };

test('undoing a bulk tag takes it from those that got it, and not from one that had it already', async () => {
  const { session, call } = await anAccount();
  const made = await Promise.all(
    ['Ada', 'Grace', 'Mary'].map((first_name) => call<{ id: string }>('POST', '/contacts', aContact({ first_name }))),
  );
  await call('PUT', `/contacts/${made[0]?.id}/tags/vip`);
  const tagged = async () =>
    (await call<{ data: Named[] }>('GET', '/contacts?tag=vip')).data.map(({ first_name: name }) => name).toSorted();
  const page = await web.open('/contacts', { session });
  await selectAll(page);
  await bar(page).getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByRole('dialog').locator('input').fill('vip');
  await page.getByRole('option', { name: 'vip' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Tag', exact: true }).click();
  const told = notice(page, '2 contacts tagged “vip”');
  await told.getByText(listWords.unchanged(1)).waitFor();
  expect(await tagged()).toEqual(['Ada', 'Grace', 'Mary']);
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(tagged).toEqual(['Ada']);
  await selectAll(page);
  expect(await findBarriers(page)).toEqual([]);
});

test('a bulk untag offers no undo, for tagging again would start flows', async () => {
  const { session, call } = await anAccount();
  const { id } = await call<{ id: string }>('POST', '/contacts', aContact());
  await call('PUT', `/contacts/${id}/tags/vip`);
  const page = await web.open('/contacts', { session });
  await selectAll(page);
  await bar(page).getByRole('button', { name: 'Remove tag' }).click();
  await page.getByRole('dialog').locator('input').fill('vip');
  await page.getByRole('option', { name: 'vip' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove tag' }).click();
  const told = notice(page, '“vip” removed from 1 contact');
  await told.waitFor();
  expect(await told.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

/** Three conversations: of a colleague, of the user who is signed in, and of nobody. */
const threeConversations = async () => {
  const { session, call, accountId, userId } = await anAccount();
  const channel = await call<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' });
  for (const name of ['ada', 'grace', 'mary'])
    await call(
      'POST',
      `/channels/${channel.id}/inbound`,
      anInboundMessage({ sender: { external_id: name, first_name: name } }),
    );
  const list = async () => (await call<{ data: Conversation[] }>('GET', '/conversations')).data;
  const ids = (await list()).map(({ id }) => id);
  const colleague = showId('user', await aColleague(api.db, accountId, 'agent'));
  const assignees = [colleague, showId('user', userId), null];
  for (const [at, assigned_to] of assignees.entries())
    await call('PATCH', `/conversations/${ids[at]}`, { assigned_to });
  const assigned = async () => (await list()).map(({ assigned_to: to }) => to);
  const statuses = async () => (await list()).map(({ status }) => status);
  const page = await web.open('/conversations', { session });
  const assignAll = async (): Promise<void> => {
    await bar(page).getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
  };
  return { page, call, accountId, userId, ids, assignees, assigned, statuses, assignAll };
};

const pathToAssign = '**/bulk/conversations/assign';

test('undoing a bulk assignment gives conversations back to whom they had; of a close reopens', async () => {
  const { page, userId, assignees, assigned, statuses, assignAll } = await threeConversations();
  await selectAll(page);
  await assignAll();
  const told = notice(page, '2 conversations assigned');
  await told.getByText(listWords.unchanged(1)).waitFor();
  expect(new Set(await assigned())).toEqual(new Set([showId('user', userId)]));
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(assigned).toEqual(assignees);

  await selectAll(page);
  await bar(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  const closed = notice(page, '3 conversations closed');
  await closed.waitFor();
  expect(await statuses()).toEqual(['closed', 'closed', 'closed']);
  await closed.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(statuses).toEqual(['open', 'open', 'open']);
  await notice(page, 'Resolved handovers stay resolved.').waitFor();
});

test('undoing a bulk assignment leaves what others assigned meanwhile, and says so', async () => {
  const { page, call, accountId, ids, assignees, assigned, assignAll } = await threeConversations();
  const other = showId('user', await aColleague(api.db, accountId, 'agent'));
  await selectAll(page);
  await assignAll();
  const told = notice(page, '2 conversations assigned');
  await told.waitFor();
  await call('PATCH', `/conversations/${ids[0]}`, { assigned_to: other });
  await told.getByRole('button', { name: 'Undo' }).click();
  await notice(page, '1 refused: The assignment has changed meanwhile.').waitFor();
  expect(await assigned()).toEqual([other, ...assignees.slice(1)]);
});

test('undo after a lost answer gives conversations back to whom they had at the first request', async () => {
  const { page, userId, assignees, assigned, assignAll } = await threeConversations();
  await page.route(
    pathToAssign,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await selectAll(page);
  await assignAll();
  await notice(page, 'The server does not answer').waitFor();
  await expect.poll(() => page.getByRole('row').getByText('Unassigned').count()).toBe(0);
  expect(new Set(await assigned())).toEqual(new Set([showId('user', userId)]));
  await assignAll();
  await notice(page, '2 conversations assigned').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(assigned).toEqual(assignees);
  web.complaints(page);
});

test('an undo that fails halfway says so, and Undo again takes back the rest', async () => {
  const { page, userId, assignees, assigned, assignAll } = await threeConversations();
  await selectAll(page);
  await assignAll();
  const told = notice(page, '2 conversations assigned');
  await told.waitFor();
  let undos = 0;
  await page.route(pathToAssign, (route) => {
    undos += 1;
    return undos === 2 ? route.abort() : route.continue();
  });
  await told.getByRole('button', { name: 'Undo' }).click();
  const stopped = notice(page, 'Undo did not finish');
  await stopped.getByText(listWords.undoUnanswered(1)).waitFor();
  const half = (await assigned()).filter((to) => to === showId('user', userId));
  expect(half).toHaveLength(2);
  await stopped.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(assigned).toEqual(assignees);
  web.complaints(page);
});

/** Two selected deliveries whose replay was done, though the answer was lost. */
const aLostReplay = async () => {
  const { session, accountId, call } = await anAccount();
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://shop.example/lost' });
  const contact = await call<{ id: string }>('POST', '/contacts', aContact());
  const contactId = readId('contact', contact.id);
  const ids: string[] = [];
  for (let count = 0; count < 2; count += 1)
    ids.push(showId('delivery', await aDelivery(api.db, { accountId, webhookId, status: 'failed', contactId })));
  const rounds = () =>
    Promise.all(ids.map(async (id) => (await call<{ round: number }>('GET', `/deliveries/${id}`)).round));
  const page = await web.open('/settings/logs/delivery?status=all', { session, alone: true });
  const keys: (string | undefined)[] = [];
  await page.route('**/bulk/deliveries/replay', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const answer = await route.fetch();
    if (keys.length > 1) await route.fulfill({ response: answer });
    else await route.abort();
  });
  const replay = async (): Promise<void> => {
    await bar(page).getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  };
  await selectAll(page);
  await replay();
  await notice(page, 'The server does not answer').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await rounds()).toEqual([2, 2]);
  web.complaints(page);
  return { page, replay, rounds, keys };
};

test('a bulk replay whose answer was lost replays each delivery once when it is asked for again', async () => {
  const { page, replay, rounds, keys } = await aLostReplay();
  await replay();
  await notice(page, '2 deliveries are being sent again').waitFor();
  expect(await rounds()).toEqual([2, 2]);
  expect(keys).toEqual([expect.stringMatching(/^\w{32}$/), keys[0]]);
});

test.for([
  [
    'of rows that were selected anew',
    async (page: Page) => {
      await bar(page).getByRole('button', { name: listWords.clearSelection }).click();
      await bar(page).waitFor({ state: 'detached' });
      await selectAll(page);
    },
  ],
  ['a minute later', (page: Page) => page.clock.setFixedTime(Date.now() + 61_000)],
] as const)('a bulk replay %s goes under a new key after a lost answer', async ([, goOn]) => {
  const { page, replay, keys } = await aLostReplay();
  await goOn(page);
  const answered = page.waitForResponse('**/bulk/deliveries/replay');
  await replay();
  await answered;
  expect(keys).toHaveLength(2);
  expect(keys[1]).not.toBe(keys[0]);
});
