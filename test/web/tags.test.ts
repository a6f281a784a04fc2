import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { aContact } from '../helpers/builders.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

type Tags = { data: { name: string; contacts: number }[] };

const markup = '<img src=x onerror=alert(1)>';

test('a tag is made, renamed and deleted; one that a flow uses stays, and the flow is named', async () => {
  const account = await api.createAccount();
  const { session, apiKey: key } = account;
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', { key, body: aContact() });
  const names = async () => {
    const { body } = await api.request<Tags>('GET', '/v1/tags', { key });
    return body.data.map(({ name, contacts }) => `${name}: ${contacts}`);
  };
  const page = await web.open('/settings/tags', { session });
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
  await page.getByRole('button', { name: 'Create tag' }).first().click();
  await dialog.getByLabel('Name').fill('vip');
  await dialog.getByRole('button', { name: 'Create tag' }).click();
  await row('vip').waitFor();
  await page.getByRole('button', { name: 'Create tag' }).click();
  await dialog.getByLabel('Name').fill(' VIP ');
  await dialog.getByRole('button', { name: 'Create tag' }).click();
  await dialog.getByText('Another tag has this name.').waitFor();
  expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Name').fill(markup);
  await dialog.getByRole('button', { name: 'Create tag' }).click();
  await row(markup).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await api.request('PUT', `/v1/contacts/${contact.id}/tags/vip`, { key });
  await flowCalls(api, account).createLive(
    aFlowDefinition({ blocks: [{ id: 'mark', type: 'add_tag', tag: 'vip' }] }),
    `Greets ${markup}`,
  );
  await page.reload();
  await row('vip').getByRole('button', { name: 'Rename' }).click();
  await dialog.getByLabel('Name').fill('gold');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByRole('link', { name: /^"Greets <img.*": its draft, its published version$/ }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('Vip');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await row('Vip').getByRole('link', { name: '1', exact: true }).waitFor();

  await row('Vip').getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Contacts with this tag: 1.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Change and publish these flows first').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await names()).toEqual([`${markup}: 0`, 'Vip: 1']);
  await dialog.getByRole('link', { name: /Greets/ }).click();
  await page.getByRole('heading', { name: `Greets ${markup}`, level: 1 }).waitFor();
  await dialog.waitFor({ state: 'detached' });

  await page.goto(`${api.url}/settings/tags`);
  await row(markup).getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await row(markup).waitFor({ state: 'detached' });
  expect(await names()).toEqual(['Vip: 1']);
  await row('Vip').getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
});

test('what a program makes of tags is shown by itself: made, renamed and deleted', async () => {
  const { session, apiKey: key } = await api.createAccount();
  const page = await web.open('/settings/tags', { session });
  await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
  const { body: tag } = await api.request<{ id: string }>('POST', '/v1/tags', { key, body: { name: 'vip' } });
  await page.getByRole('row').filter({ hasText: 'vip' }).waitFor();
  await api.request('PATCH', `/v1/tags/${tag.id}`, { key, body: { name: 'gold' } });
  await page.getByRole('row').filter({ hasText: 'gold' }).waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'vip' }).count()).toBe(0);
  expect((await api.request('DELETE', `/v1/tags/${tag.id}`, { key })).status).toBe(204);
  await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
});

test('an agent makes tags, and is offered neither to rename nor to delete one', async () => {
  const { accountId, apiKey } = await api.createAccount();
  await api.request('POST', '/v1/tags', { key: apiKey, body: { name: 'vip' } });
  const session = await createSession(api.db, await aColleague(api.db, accountId, 'agent'));
  const page = await web.open('/settings/tags', {
    session,
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
  });
  const row = page.getByRole('row').filter({ hasText: 'vip' });
  await row.waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
  await page.getByRole('button', { name: 'Create tag' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('new');
  await page.getByRole('dialog').getByRole('button', { name: 'Create tag' }).click();
  await page.getByRole('row').filter({ hasText: 'new' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});
