import { expect, onTestFinished, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const markup = '<img src=x onerror=alert(1)>';

test('a flow tells an agent in words what starts it, which other flow takes it first, and what its draft would change', async () => {
  const account = await api.createAccount();
  const { call, createLive, save } = flowCalls(api, account);
  const first = { type: 'keyword', match: 'exact', words: ['shirt'], priority: 5 };
  await createLive(aFlowDefinition({ triggers: [first] }), `Winner ${markup}`);
  const triggers = [{ type: 'keyword', match: 'exact', words: ['Shirt', 'hat'] }, { type: 'new_contact' }];
  const { id } = await createLive(aFlowDefinition({ triggers }), 'Hats');
  await setRole(api.db, account.userId, 'agent');
  const page = await web.open(`/flows/${id}?tab=triggers`, { session: account.session, colorScheme: 'dark' });
  const now = page.getByRole('region', { name: 'Active triggers' });
  await now.getByText('Message is “shirt”, “hat”').waitFor();
  await now.getByText('New contact').waitFor();
  await now
    .getByText('“shirt” goes to')
    .getByRole('link', { name: `Winner ${markup}` })
    .waitFor();
  expect(await page.getByRole('region', { name: 'Triggers in the draft' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);

  await save(id, aFlowDefinition({ triggers: [{ type: 'order_status_changed', status: 'shipped' }] }));
  const draft = page.getByRole('region', { name: 'Triggers in the draft' });
  await draft.getByText('Order becomes “shipped”').waitFor();
  await call('POST', `/flows/${id}/pause`);
  await now.getByText('Triggers start only live flows').waitFor();
});

test('the request of a block is tried with a contact: what was sent, what came back and what is mapped are shown; an agent is offered nothing of it', async () => {
  const account = await api.createAccount();
  const { call, create } = flowCalls(api, account);
  const shop = await startReceiver({ respond: { type: 'respond', body: JSON.stringify({ name: markup }) } });
  onTestFinished(() => shop.close());
  const request = {
    id: 'stock',
    type: 'external_request',
    method: 'POST',
    url: shop.url('/stock'),
    body: '{"who": "{{first_name}}", "size": "{{size}}"}',
    mapping: [{ path: '$.name', field: 'last_name' }],
  };
  await call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
  const { id } = await create(aFlowDefinition({ blocks: [request, { id: 'end', type: 'end' }] }));
  await call('POST', '/contacts', { first_name: 'Ada' });
  const page = await web.open(`/flows/${id}?tab=request`, { session: account.session });
  const main = page.getByRole('main');
  await main.getByLabel('Contact').click();
  await page.getByRole('option', { name: 'Ada' }).click();
  const values = main.getByLabel('Sample values');
  await values.fill('[1]');
  await main.getByRole('button', { name: 'Send request' }).click();
  await main.getByText('Enter a JSON object.').waitFor();
  await values.fill('{');
  await values.blur();
  await main.getByText('Enter a JSON object.').waitFor();
  expect(shop.requests).toEqual([]);
  await values.fill('{"size": "L"}');
  await main.getByRole('button', { name: 'Send request' }).click();
  const outcome = page.getByRole('region', { name: 'Result of “stock”' });
  await outcome.getByRole('group', { name: 'Request body' }).getByText('"L"').waitFor();
  await outcome.getByRole('group', { name: 'Response body', exact: true }).getByText(markup).waitFor();
  await outcome.getByRole('table', { name: 'Mapped fields' }).getByText(JSON.stringify(markup)).waitFor();
  expect(shop.requests[0]?.rawBody.toString()).toBe('{"who": "Ada", "size": "L"}');
  expect(await findBarriers(page)).toEqual([]);

  await setRole(api.db, account.userId, 'agent');
  await page.reload();
  await page.getByRole('tab', { name: 'Drawing' }).waitFor();
  expect(await page.getByRole('tab', { name: 'Try a request' }).count()).toBe(0);
});
