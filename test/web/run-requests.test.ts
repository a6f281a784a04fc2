import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { createContact } from '../../src/shared/contacts/queries.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { startApi } from '../helpers/api.ts';
import { startFlowWorld } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { aColleague, setRole } from '../helpers/states/accounts.ts';
import { ageCalls } from '../helpers/states/calls.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWebOf } from './helpers/web.ts';

const world = await startFlowWorld();
const api = await startApi({ world });
const web = await useWebOf(api, async () => {
  await api.stop();
  await world.stop();
});

test('a run that failed says why in words', async () => {
  const { db, accountId } = world;
  const session = await createSession(db, await aColleague(db, accountId, 'owner'));
  // Nobody has written as this contact, so that there is no channel to write back.
  const { id: contactId } = await world.transact((tx) => createContact(tx, accountId, {}));
  const runId = await world.enrol(
    contactId,
    await aFlow(db, accountId, { blocks: [{ id: 'ask', type: 'ask', prompt: 'Well?' }] }),
  );
  await world.advance(runId);
  const page = await web.open(`/runs/${showId('run', runId)}`, { session });
  await page.getByText('the contact has not written on a channel yet').first().waitFor();
  expect(await page.getByText('no_channel').count()).toBe(0);

  const confirmed = page.getByRole('dialog').getByRole('button', { name: 'Retry' });
  const statusOf = async () => (await db<{ status: string }[]>`select status from runs where id = ${runId}`)[0]?.status;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByRole('dialog', { name: 'Retry this run?' }).waitFor();
  await confirmed.click();
  await page.getByText('Running', { exact: true }).waitFor();
  expect(await statusOf()).toBe('running');

  await world.advance(runId);
  expect(await statusOf()).toBe('failed');
  await page.getByRole('main').getByRole('link', { name: 'Version 1' }).waitFor();
  const flow = await page.getByRole('main').getByRole('link', { name: 'Version 1' }).getAttribute('href');
  await page.goto(`${api.url}${flow?.replace(/\/versions.*/, '')}?tab=runs`);
  await page.getByRole('button', { name: 'Retry failed runs' }).click();
  await confirmed.click();
  await page.getByText('1 run retried', { exact: true }).waitFor();
  expect(await statusOf()).toBe('running');
});

test('a step that failed says so in words', async () => {
  const { db, accountId } = world;
  const session = await createSession(db, await aColleague(db, accountId, 'owner'));
  const shop = await startReceiver({ respond: 404 });
  onTestFinished(() => shop.close());
  const { contactId } = await world.says(newUuid(), 'hello');
  const block = { id: 'who', type: 'external_request', method: 'GET', url: shop.url('/who') };
  const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks: [block] }));
  await world.advance(runId);
  await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1);
  await world.advance(runId);
  const page = await web.open(`/runs/${showId('run', runId)}`, { session });
  await page.getByText('took “error”').waitFor();
  const reason = page.getByRole('main').getByText('the other service responded 404').last();
  await reason.waitFor();
  expect(await page.getByText('status_404').count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('requests of a list say their item, and a failed rule of success_when shows as bad', async () => {
  const { db, accountId } = world;
  const session = await createSession(db, await aColleague(db, accountId, 'owner'));
  const shop = await startReceiver({ respond: { type: 'respond', body: '{"ok": false}' } });
  onTestFinished(() => shop.close());
  const { contactId } = await world.says(newUuid(), 'hello');
  const each = { for_each: { items: '["a", "b"]', on_error: 'continue' } };
  const rules = [{ path: '$.ok', op: 'is', value: true }];
  const block = { id: 'all', type: 'external_request', method: 'GET', url: shop.url('/{{item}}'), ...each };
  const flowId = await aFlow(db, accountId, { blocks: [{ ...block, success_when: { rules } }] });
  const runId = await world.enrol(contactId, flowId);
  await world.advance(runId);
  for (let item = 0; item < 2; item += 1)
    await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1);
  const page = await web.open(`/runs/${showId('run', runId)}`, { session });
  await page.getByRole('button', { name: /Item 0, attempt 1/ }).waitFor();
  const second = page.getByRole('button', { name: /Item 1, attempt 1/ });
  await second.click();
  await page.getByText('success_when: rule 1 ($.ok is true) does not hold').last().waitFor();
  await page.getByText('the response fails rule 1 of its success rules').last().waitFor();
  await page.getByText('2 items', { exact: false }).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('a run shows its steps in order, with each attempt of a request, markup as text, and no bodies to an agent', async () => {
  const { db, accountId } = world;
  const ownerId = await aColleague(db, accountId, 'owner');
  const session = await createSession(db, ownerId);
  const markup = '<img src=x onerror=alert(1)>';
  const shop = await startReceiver({ respond: [503, { type: 'respond', body: JSON.stringify({ name: markup }) }] });
  onTestFinished(() => shop.close());
  const { contactId } = await world.says(newUuid(), 'hello');
  const blocks = [
    {
      id: 'who',
      type: 'external_request',
      method: 'PUT',
      url: shop.url('/who'),
      body: '{"a": 1}',
      mapping: [{ path: '$.name', field: 'first_name' }],
      next: { error: null, timeout: null },
    },
    { id: 'and_then', type: 'ask', prompt: 'And then?', timeout: 'PT1H' },
  ];
  const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks }));
  await world.advance(runId);
  const run = { runId: showId('run', runId), resumes: 0 };
  await world.activities.callThirdParty(run, 1);
  await ageCalls(db, runId, { seconds: 1 });
  await world.activities.callThirdParty(run, 1);
  await world.advance(runId);

  const page = await web.open(`/runs/${run.runId}`, { session });
  await page.getByText('took “success”').waitFor();
  const main = page.getByRole('main');
  // The attempts are asked for by themselves.
  await page.getByRole('button', { name: /Attempt 2/ }).waitFor();
  expect(await main.textContent()).toMatch(/Step 1.*who.*Attempt 1.*503.*Attempt 2.*200.*Step 2.*and_then/s);
  await main.getByText('for a reply').waitFor();
  await page.getByRole('button', { name: /Attempt 2/ }).click();
  await page.getByRole('group', { name: 'Response body', exact: true }).getByText(markup).waitFor();
  await page.getByRole('group', { name: 'Request body' }).getByText('"a": 1').waitFor();
  await page.getByRole('table', { name: 'Mapped fields' }).getByText(JSON.stringify(markup)).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  const narrow = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
  const phone = await web.open(`/runs/${run.runId}`, { session, ...narrow });
  await phone.getByRole('button', { name: /Attempt 2/ }).click();
  await phone.getByRole('group', { name: 'Response body', exact: true }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findBarriers(phone)).toEqual([]);

  // A long run has its requests on several pages: all those of the steps that are shown are loaded.
  const long = await web.open('/nowhere', { session });
  await long.route('**/requests?*', async (route) => {
    const url = new URL(route.request().url());
    const isFirst = !url.searchParams.has('cursor');
    url.searchParams.delete('cursor');
    const response = await route.fetch({ url: url.href });
    const { data } = z.object({ data: z.array(z.unknown()) }).parse(await response.json());
    await route.fulfill({
      json: { data: isFirst ? data.slice(0, 1) : data.slice(1), next_cursor: isFirst ? 'x' : null },
    });
  });
  await long.goto(`${api.url}/runs/${run.runId}`);
  await long.getByRole('button', { name: /Attempt 2/ }).waitFor();
  await long.getByRole('button', { name: /Attempt 1/ }).waitFor();

  await setRole(db, ownerId, 'agent');
  await page.reload();
  await page.getByRole('button', { name: /Attempt 2/ }).click();
  await page
    .getByRole('region', { name: /Attempt 2/ })
    .getByText('Editors and owners also see headers and bodies.')
    .waitFor();
  for (const name of ['Response body', 'Response headers'])
    expect(await page.getByRole('group', { name, exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Cancel run' }).count()).toBe(0);
});
