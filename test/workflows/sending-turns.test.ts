import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveWorld, type LiveWorld } from '../helpers/live-world.ts';
import { anAccount } from '../helpers/accounts.ts';
import { aChannel, aTalk, readMessage, send } from '../helpers/messages.ts';
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

/** More than the activities that a process has at once, and the share of one channel of those that send. */
const conversations = 120;
const share = 24;

test("an account whose callback hangs in more conversations than there are slots holds up nobody else's messages", async () => {
  const { world } = live;
  const stuck = await aChannel(world, hanging.url('/to-visitors'));
  for (let count = 0; count < conversations; count += 1) await send(world, await aTalk(world, stuck));
  await hanging.waitFor(share, 20_000);

  const other = { ...world, accountId: (await anAccount(world)).accountId };
  const channelId = await aChannel(other, healthy.url('/to-visitors'));
  for (let count = 0; count < 10; count += 1) {
    const id = await send(other, await aTalk(other, channelId));
    const isSent = async () => (await readMessage(other, id)).status === 'sent';
    // A hanging attempt ends after ten seconds.
    await expect.poll(isSent, { timeout: 4_000, interval: 10 }).toBe(true);
  }

  const [{ recorded } = { recorded: 0 }] = await world.db<{ recorded: number }[]>`
    select sum(attempts_made)::int as recorded from outbound_messages where account_id = ${world.accountId}`;
  expect(hanging.requests.length - recorded).toBeLessThanOrEqual(share);
}, 60_000);
