import { expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { testEndpointOf } from '../../helpers/test-endpoint.ts';
import { useLiveWeb } from '../helpers/live-web.ts';
import { paste } from './open-editor.ts';

const { live, web } = await useLiveWeb({ testEndpoint: true });
const { api } = live;

test('from a pasted cURL to a mapped field it takes at most 8 clicks', async () => {
  const account = await api.createAccount();
  const endpoint = await testEndpointOf(api, account);
  await endpoint.answers({ body: { order: { status: 'shipped' } } });
  const request = { id: 'call', type: 'external_request', method: 'GET', url: '' };
  const { create } = flowCalls(api, account);
  const { id } = await create(aFlowDefinition({ blocks: [request, { id: 'end', type: 'end' }] }));
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session });
  await page.evaluate(`addEventListener('click', ({ isTrusted, detail }) => {
    if (isTrusted && detail > 0) globalThis.clicks = (globalThis.clicks ?? 0) + 1;
  }, true)`);
  await page.locator('.block-face', { hasText: 'call' }).first().click();
  const panel = page.locator('.panel');
  await panel.getByRole('textbox', { name: 'URL', exact: true }).click();
  await paste(page, `curl '${endpoint.url}/order' -H 'Authorization: Bearer sk_t0ps3cret' --json '{"id": 7}'`);
  await page.getByRole('dialog').getByRole('button', { name: 'Replace request' }).click();
  await page.getByRole('tablist', { name: 'External Request' }).getByRole('tab', { name: 'Test' }).click();
  await panel.getByRole('button', { name: 'Send request' }).click();
  await page.getByRole('tree').getByText('"shipped"').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create field' }).click();
  await page.getByRole('tree').getByText('→ order_status').waitFor();
  expect(await page.evaluate('clicks')).toBeLessThanOrEqual(8);
  expect(await endpoint.latest()).toMatchObject({ method: 'POST', path: '/order', body: '{"id": 7}' });
  expect(await page.content()).not.toContain('t0ps3cret');
  expect(web.complaints()).toEqual([]);
});

test('the last response to a run is a sample, of which values are mapped without another request', async () => {
  const account = await api.createAccount();
  const endpoint = await testEndpointOf(api, account);
  await endpoint.answers({ body: { order: { status: 'late' } } });
  const request = { id: 'call', type: 'external_request', method: 'GET', url: `${endpoint.url}/order` };
  const { call, createLive } = flowCalls(api, account);
  const { id } = await createLive(aFlowDefinition({ blocks: [request, { id: 'end', type: 'end' }] }));
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session });
  await page.locator('.block-face', { hasText: 'call' }).first().click();
  await page.getByRole('tablist', { name: 'External Request' }).getByRole('tab', { name: 'Test' }).click();
  const panel = page.locator('.panel');
  await panel.getByRole('button', { name: 'Use last response' }).click();
  await panel.getByText('No run has had a response to this block yet.').waitFor();

  const { body: contact } = await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
  const { body: run } = await call<{ id: string }>('POST', `/contacts/${contact.id}/flows`, { flow_id: id });
  const status = async () => (await call<{ status: string }>('GET', `/runs/${run.id}`)).body.status;
  await expect.poll(status).toBe('completed');
  await panel.getByRole('button', { name: 'Use last response' }).click();
  await page.getByRole('tree').getByText('"late"').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create field' }).click();
  await page.getByRole('tree').getByText('→ order_status').waitFor();
  expect((await endpoint.list()).data).toHaveLength(1);
});
