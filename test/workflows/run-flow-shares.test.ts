import { afterAll, expect, test, vi } from 'vitest';
import { createContact } from '../../src/shared/contacts/queries.ts';
import { anAccount } from '../helpers/accounts.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { useLiveWorld } from '../helpers/live-world.ts';
import { startReceiver } from '../helpers/receiver.ts';

const live = await useLiveWorld();
const [hanging, healthy] = await Promise.all([startReceiver({ respond: { type: 'hang' } }), startReceiver()]);
afterAll(() => Promise.all([hanging.close(), healthy.close()]));

test("more calls of one account that hang than a process has slots for hold up no other account's", async () => {
  const { world } = live;
  const call = (url: string) => ({ id: 'call', type: 'external_request', method: 'GET', url, timeout_ms: 120_000 });
  const slow = await aFlow(world.db, world.accountId, {
    reentry: 'allow',
    blocks: [call(hanging.url('/'))],
  });
  const acme = await withFlows(world);
  for (let count = 0; count < 210; count += 1) await acme.enrol(world.contactId, slow);
  // As many as there are places for begin; those beyond wait elsewhere than in slots.
  await vi.waitUntil(() => hanging.requests.length >= 40, { timeout: 300_000 });
  const { accountId } = await anAccount(world, { email: 'other@example.com' });
  const other = await withFlows({ ...world, accountId });
  const { id: contactId } = await world.transact((tx) => createContact(tx, accountId, {}));
  const quick = await aFlow(world.db, accountId, { blocks: [call(healthy.url('/'))] });
  const countEnded = async () =>
    (await world.db`select from requests where account_id = ${world.accountId} and state <> 'sending'`).count;
  // One that hangs ends after two minutes, which may pass on a slow machine. No room was made for a run beside which none has ended.
  let ended: number;
  do {
    ended = await countEnded();
    const run = await other.enrol(contactId, quick);
    await vi.waitUntil(async () => (await other.run(run)).status === 'completed', { timeout: 300_000 });
  } while ((await countEnded()) > ended);
  const sending = world.db`select from requests where account_id = ${world.accountId} and state = 'sending'`;
  expect((await sending).count).toBeLessThan(100);
}, 600_000);
