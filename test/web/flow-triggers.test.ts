import { expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
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
