import { expect, test } from 'vitest';
import { aFlowDefinition, flowCalls, type FlowDraft } from '../helpers/flows.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

test('a definition that somebody has written is no exported flow, and what becomes of it is told', async () => {
  const { session } = await api.createAccount();
  const page = await web.open('/flows', { session });
  await page.getByRole('button', { name: 'Import file' }).first().click();
  const dialog = page.getByRole('dialog');
  const written = { name: 'Shirts', definition: aFlowDefinition() };
  const file = { name: 'flow.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(written)) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Import file' }).click();
  await dialog.getByText('To use your own definition, paste it into a new flow’s JSON.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('a flow is created, changed as JSON, published with its problems told, paused and archived', async () => {
  const account = await api.createAccount();
  const { call } = flowCalls(api, account);
  const page = await web.open('/flows', { session: account.session });
  await page.getByRole('heading', { name: 'No flows yet' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('main').getByRole('button', { name: 'Create flow' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Shirts');
  await dialog.getByRole('button', { name: 'Create flow' }).click();
  await page.getByRole('heading', { name: 'Shirts', level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.replace('/flows/', '');

  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.waitForURL('**/flows/*?tab=json');
  const editor = page.getByRole('textbox', { name: 'The draft as JSON' });
  await editor.waitFor();
  const broken = { ...aFlowDefinition(), start: 'nowhere', extra: 1 };
  await editor.fill(JSON.stringify(broken));
  await page.getByRole('region', { name: 'Problems' }).getByText('is not a block of this flow').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: /start is not a block/ }).click();
  await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('"start"');

  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('alert').getByText('the draft has 2 errors').waitFor();

  await editor.fill(JSON.stringify(aFlowDefinition({ text: 'Hello <b>you</b>' })));
  await page.getByRole('button', { name: 'Format' }).click();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect.poll(async () => (await call<FlowDraft>('GET', `/flows/${id}/draft`)).body.issues).toEqual([]);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published as version 1').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

  await page.getByRole('tab', { name: 'Versions' }).click();
  await page
    .getByRole('row', { name: /Version 1/ })
    .getByText('Live', { exact: true })
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'More actions for this flow' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByText('Same as the draft.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('an agent reads flows, and is shown nothing that changes them', async () => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).createLive();
  await setRole(api.db, account.userId, 'agent');
  const page = await web.open('/flows', { session: account.session, colorScheme: 'dark' });
  await page.getByRole('link', { name: 'Shirts' }).waitFor();
  expect(await page.getByRole('button', { name: 'Create flow' }).count()).toBe(0);
  await page.goto(`${api.url}/flows/${id}?tab=json`);
  await page.getByText('Your role can only read this.').waitFor();
  expect(await page.getByRole('button', { name: /Publish|Save/ }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('the list says how many runs are open in each flow, and what to do where none has the state', async () => {
  const account = await api.createAccount();
  const { call, createLive } = flowCalls(api, account);
  const blocks = [{ id: 'ask', type: 'ask', prompt: 'Well?', timeout: 'PT1H' }];
  const { id } = await createLive(aFlowDefinition({ blocks }), 'Entered');
  await createLive(aFlowDefinition(), 'Empty');
  const contact = await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
  await call('POST', `/contacts/${contact.body.id}/flows`, { flow_id: id });
  const page = await web.open('/flows', { session: account.session });
  const openRuns = async (name: string) => page.getByRole('row', { name }).getByRole('cell').nth(2).textContent();
  await page.getByRole('row', { name: 'Entered' }).waitFor();
  expect([await openRuns('Entered'), await openRuns('Empty')]).toEqual(['1', '0']);
  await page.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('row', { name: /Ada/ }).waitFor();
  await page.goto(`${api.url}/flows?status=archived`);
  await page.getByText('Choose another status.').waitFor();
});

test('publishing says beforehand how many errors forbid it', async () => {
  const account = await api.createAccount();
  const { create } = flowCalls(api, account);
  const { id } = await create({ ...aFlowDefinition(), start: 'nowhere' });
  const page = await web.open(`/flows/${id}?tab=json`, { session: account.session });
  const editor = page.getByRole('textbox', { name: 'The draft as JSON' });
  await editor.waitFor();
  expect(await page.getByRole('link', { name: 'JSON Schema' }).getAttribute('href')).toBe('/schemas/flow.json');
  expect((await api.request('GET', '/schemas/flow.json')).status).toBe(200);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^The draft has one error/).waitFor();
  expect(await dialog.getByText('New contacts get this version').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await editor.fill(JSON.stringify(aFlowDefinition()));
  await page.getByText('No problems. Ready to publish.').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await dialog.getByText(/^New contacts get this version/).waitFor();
});

test('a version is made the draft again after asking', async () => {
  const account = await api.createAccount();
  const { createLive, save, draft } = flowCalls(api, account);
  const { id } = await createLive(aFlowDefinition({ text: 'First' }));
  await save(id, aFlowDefinition({ text: 'Second' }));
  const page = await web.open(`/flows/${id}/versions/1`, { session: account.session });
  await page.getByRole('button', { name: 'Restore as draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore as draft' }).click();
  await page.getByText('Version 1 is the draft now').waitFor();
  await page.waitForURL(`**/flows/${id}?tab=json`);
  await page.getByRole('textbox', { name: 'The draft as JSON' }).getByText('First').waitFor();
  expect(JSON.stringify((await draft(id)).body.definition)).toContain('First');
});
