import { afterAll, expect, test } from 'vitest';
import { useLiveWorld } from '../helpers/live-world.ts';
import { anAccount } from '../helpers/accounts.ts';
import { aChannel, aTalk, readMessage, send } from '../helpers/messages.ts';
import { startReceiver } from '../helpers/receiver.ts';

const live = await useLiveWorld();
const [hanging, healthy] = await Promise.all([startReceiver({ respond: { type: 'hang' } }), startReceiver()]);
afterAll(() => Promise.all([hanging.close(), healthy.close()]));

/** More than the activities that a process has at once, and the share of one channel of those that send. */
const conversations = 120;
const share = 24;

test("an account whose callback hangs in more conversations than there are slots holds up nobody else's messages", async () => {
  const { world } = live;
  const other = { ...world, accountId: (await anAccount(world)).accountId };
  const channelId = await aChannel(other, healthy.url('/to-visitors'));
  /** How long a message of the other account takes, in ms. */
  const sent = async (timeout: number): Promise<number> => {
    const since = performance.now();
    const id = await send(other, await aTalk(other, channelId));
    const isSent = async () => (await readMessage(other, id)).status === 'sent';
    await expect.poll(isSent, { timeout, interval: 10 }).toBe(true);
    return performance.now() - since;
  };
  const aloneMs = Math.max(await sent(20_000), await sent(20_000), await sent(20_000));

  const stuck = await aChannel(world, hanging.url('/to-visitors'));
  for (let count = 0; count < conversations; count += 1) await send(world, await aTalk(world, stuck));
  await hanging.waitFor(share, 60_000);

  // A hanging attempt ends after ten seconds; and a machine that was slow before is slower now.
  for (let count = 0; count < 10; count += 1) await sent(4_000 + 10 * aloneMs);

  // An attempt hangs for ten seconds, and the next one takes its place then: half of that is left for a machine that stands still.
  const times = hanging.requests.map(({ receivedAtMs }) => receivedAtMs);
  const atOnce = times.map((at) => times.filter((other) => other > at - 5_000 && other <= at).length);
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(share);
}, 180_000);
