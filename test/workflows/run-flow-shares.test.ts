import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createContact } from '../../src/shared/contacts/queries.ts';
import { anAccount } from '../helpers/accounts.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startLiveWorld, type LiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';

let live: LiveWorld;
let hanging: Receiver;
let healthy: Receiver;

beforeAll(async () => {
  [live, hanging, healthy] = await Promise.all([
    startLiveWorld(),
    startReceiver({ respond: { type: 'hang' } }),
    startReceiver(),
  ]);
});
afterAll(() => Promise.all([live.stop(), hanging.close(), healthy.close()]));

test("more calls of one account that hang than a process has slots for hold up no other account's", async () => {
  const { world } = live;
  const call = (url: string) => ({ id: 'call', type: 'external_request', method: 'GET', url, timeout_ms: 60_000 });
  const slow = await aFlow(world.db, world.accountId, {
    reentry: 'allow',
    blocks: [call(hanging.url('/'))],
  });
  const acme = await withFlows(world);
  for (let count = 0; count < 210; count += 1) await acme.enrol(world.contactId, slow);
  // As many as there are places for begin; those beyond wait elsewhere than in slots.
  await vi.waitUntil(() => hanging.requests.length >= 40, { timeout: 20_000 });
  const { accountId } = await anAccount(world, { email: 'other@example.com' });
  const other = await withFlows({ ...world, accountId });
  const { id: contactId } = await world.transact((tx) => createContact(tx, accountId, {}));
  const run = await other.enrol(contactId, await aFlow(world.db, accountId, { blocks: [call(healthy.url('/'))] }));
  await vi.waitUntil(async () => (await other.run(run)).status === 'completed', { timeout: 20_000 });
  expect(hanging.requests.length).toBeLessThan(100);
}, 90_000);
