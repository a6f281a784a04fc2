import { expect, onTestFinished, test } from 'vitest';
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
  await world.look(runId);
  const page = await web.open(`/runs/${showId('run', runId)}`, { session });
  await page.getByText('the contact has not written on a channel yet').first().waitFor();
  expect(await page.getByText('no_channel').count()).toBe(0);
});

test('a run shows its steps in order, with each try of a request, markup as text, and no bodies to an agent', async () => {
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
  await world.look(runId);
  const run = { runId: showId('run', runId), resumes: 0 };
  await world.activities.callThirdParty(run, 1);
  await ageCalls(db, runId, { seconds: 1 });
  await world.activities.callThirdParty(run, 1);
  await world.look(runId);

  const page = await web.open(`/runs/${run.runId}`, { session });
  await page.getByText('left by success').waitFor();
  const main = page.getByRole('main');
  // The tries are asked for by themselves.
  await page.getByRole('button', { name: /Try 2/ }).waitFor();
  expect(await main.textContent()).toMatch(/Step 1.*who.*Try 1.*503.*Try 2.*200.*Step 2.*and_then/s);
  await main.getByText('for an answer').waitFor();
  await page.getByRole('button', { name: /Try 2/ }).click();
  await page.getByRole('region', { name: 'The answer', exact: true }).getByText(markup).waitFor();
  await page.getByRole('table', { name: 'Mapped fields' }).getByText(JSON.stringify(markup)).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  const narrow = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
  const phone = await web.open(`/runs/${run.runId}`, { session, ...narrow });
  await phone.getByRole('button', { name: /Try 2/ }).click();
  await phone.getByRole('region', { name: 'The answer', exact: true }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findBarriers(phone)).toEqual([]);

  await setRole(db, ownerId, 'agent');
  await page.reload();
  await page.getByRole('button', { name: /Try 2/ }).click();
  await page.getByRole('region', { name: /Try 2/ }).getByText('Your role does not see bodies.').waitFor();
  expect(await page.getByRole('region', { name: 'The answer', exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Cancel the run' }).count()).toBe(0);
});
