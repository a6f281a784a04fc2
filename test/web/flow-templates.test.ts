import { expect, onTestFinished, test } from 'vitest';
import { createTemplate, templateNames } from '../../src/web/pages/flows/templates/templates.ts';
import type { Template } from '../../src/web/pages/flows/templates/template.ts';
import { words } from '../../src/web/pages/flows/templates/words.ts';
import { flowCalls, type Flow, type FlowDraft } from '../helpers/flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const anAccount = async () => {
  const account = await api.createAccount();
  return { account, ...flowCalls(api, account) };
};

/** An empty flow in the builder. */
const openEmpty = async (options: Parameters<typeof web.open>[1] = {}) => {
  const { account, call } = await anAccount();
  const { body } = await call<Flow>('POST', '/flows', { name: 'New' });
  const page = await web.open(`/flows/${body.id}?tab=builder`, { session: account.session, ...options });
  await page.getByRole('heading', { name: 'Build your flow' }).waitFor();
  const draft = async () => (await call<FlowDraft>('GET', `/flows/${body.id}/draft`)).body;
  return { id: body.id, page, call, draft };
};

test.each(templateNames)('the template %s publishes without a problem, and its scenario passes', async (name) => {
  const { call } = await anAccount();
  const shop = await startReceiver();
  onTestFinished(() => shop.close());
  const template: Template = createTemplate(name, shop.url('').replace(/\/$/, ''));
  for (const field of template.fields) expect((await call('POST', '/custom-fields', field)).status).toBe(201);
  const { definition, scenario } = template;
  const { body: flow } = await call<Flow>('POST', '/flows', { name, definition });
  expect((await call('POST', `/flows/${flow.id}/scenarios`, scenario)).status).toBe(201);
  const published = await call<Flow>('POST', `/flows/${flow.id}/publish`);
  expect(published.status).toBe(200);
  // A tag is made when it is used first.
  expect(published.body.issues?.filter(({ code }) => code !== 'unknown_tag')).toEqual([]);
  const listed = await call<{ data: { id: string }[] }>('GET', `/flows/${flow.id}/scenarios`);
  const ran = await call('POST', `/flows/${flow.id}/scenarios/${listed.body.data[0]?.id}/run`, {});
  expect(ran.body).toMatchObject({ passed: true, differences: [] });
  expect(shop.requests).toEqual([]);
});

test('an empty flow offers templates, which are previewed, taken with fields and scenario, and undone', async () => {
  const { id, page, call, draft } = await openEmpty();
  expect(await findBarriers(page)).toEqual([]);
  const before = (await draft()).revision;
  await page.getByRole('button', { name: /Order status by API/ }).click();
  const preview = page.getByRole('region', { name: 'Preview of “Order status by API”' });
  await preview.getByText('Look up the order').waitFor();
  expect((await draft()).revision).toBe(before);
  await page.getByRole('button', { name: 'Show all templates' }).click();
  await page.getByRole('button', { name: /Survey/ }).click();
  await page.getByRole('region', { name: 'Preview of “Survey”' }).getByText('Ask for a rating').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use template' }).click();
  await page.getByText('“Survey” is your draft now').waitFor();
  const fields = await call<{ data: { key: string }[] }>('GET', '/custom-fields');
  expect(fields.body.data.map(({ key }) => key).sort()).toEqual(['feedback', 'rating']);
  const scenarios = async () =>
    (await call<{ data: { name: string }[] }>('GET', `/flows/${id}/scenarios`)).body.data.map(({ name }) => name);
  await expect.poll(scenarios).toEqual(['A low rating']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Build your flow' }).waitFor();
});

test('a template whose field is there with another type says so, and creates nothing', async () => {
  const { page, call, draft } = await openEmpty();
  await call('POST', '/custom-fields', { key: 'order_status', name: 'Order status', type: 'number' });
  const before = (await draft()).revision;
  await page.getByRole('button', { name: /Order status by API/ }).click();
  await page.getByRole('button', { name: 'Use template' }).click();
  await page
    .getByRole('alert')
    .getByText('The field order_status has the type number; the template needs text. Nothing was created.')
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const { body } = await call<{ data: { key: string }[] }>('GET', '/custom-fields');
  expect(body.data.map(({ key }) => key)).toEqual(['order_status']);
  expect((await draft()).revision).toBe(before);
});

test('a template takes a field that is there with its type', async () => {
  const { page, call } = await openEmpty();
  await call('POST', '/custom-fields', { key: 'order_status', name: 'Status', type: 'text' });
  await page.getByRole('button', { name: /Order status by API/ }).click();
  await page.getByRole('button', { name: 'Use template' }).click();
  await page.getByText('“Order status by API” is your draft now').waitFor();
  const { body } = await call<{ data: { key: string; name: string }[] }>('GET', '/custom-fields');
  expect(body.data.map(({ key, name }) => `${key} ${name}`).sort()).toEqual([
    'order_number Order number',
    'order_status Status',
  ]);
});

test('a click on a first block adds it to the draft and opens it', async () => {
  const { page } = await openEmpty();
  await page.getByRole('button', { name: words.ghosts.start }).click();
  await page.getByRole('button', { name: 'When a contact writes … Message is “hello”' }).waitFor();
  await page.getByRole('button', { name: words.ghosts.ask }).click();
  await page.getByRole('heading', { name: 'Build your flow' }).waitFor({ state: 'detached' });
  await page.getByRole('complementary').getByText('How can we help?').first().waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  const chat = page.getByRole('region', { name: 'Conversation with the flow' });
  await chat.getByText('How can we help?').waitFor();
  expect(await chat.getByRole('listitem').count()).toBe(1);
});

test('an empty flow shows no problem before a block is added, and publishing it is refused', async () => {
  const { page } = await openEmpty();
  const show = page.getByRole('button', { name: /^Show problems/ });
  expect(await show.locator('.status').getAttribute('data-tone')).toBe('off');
  await show.click();
  await page.getByText('No problems yet. Add a block before you publish.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit triggers' }).click();
  const form = page.locator('.panel');
  await form.getByText('First block').first().waitFor();
  expect(await form.locator('[data-severity="error"]').count()).toBe(0);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/must have at least 1 item/).waitFor();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('alert').getByText('Not published: the draft has one error').waitFor();
});
