import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { queueMessages } from '../../../../src/shared/messages/outbound/queue-messages.ts';
import type { MessageRow } from '../../../../src/shared/messages/schema.ts';
import { withdrawOfFlows } from '../../../../src/shared/messages/outbound/withdraw.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { aChannel, aTalk, readMessage, type Talk } from '../../../helpers/messages.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';

let world: DeliveryWorld;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld({ sendsMessages: true }), startReceiver()]);
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

const queue = (talk: Talk) =>
  world.transact(async (tx) => {
    const messages = ['one', 'two', 'three'].map((text, position) => ({ text, step: 1, position }));
    const queued = await queueMessages(tx, { accountId: world.accountId, ...talk, runId: newUuid(), messages });
    return queued.map(({ messageId }) => messageId);
  });

const withdraw = ({ contactId }: Talk) =>
  world.transact(async (tx) => {
    const [held] = await tx.sql<{ id: string }[]>`
      select id from conversations where contact_id = ${contactId} for no key update`;
    if (held) await withdrawOfFlows(tx, { accountId: world.accountId, conversationId: held.id });
  });

test.each([200, 503])(
  'a message that is withdrawn before an attempt is never sent: a channel that answers %i',
  async (status) => {
    receiver.respondWith(status);
    const path = `/answers/${status}`;
    const channelId = await aChannel(world, receiver.url(path));
    const talks = await Promise.all(Array.from({ length: 60 }, () => aTalk(world, channelId)));
    const ids: string[] = [];
    for (let batch = 0; batch < talks.length; batch += 4) {
      const queued = talks.slice(batch, batch + 4).map(async (talk, index) => {
        ids.push(...(await queue(talk)));
        // Some are withdrawn before their lane is taken, others in the middle of it, or after it.
        for (let waits = 0; waits < (batch + index) % 8; waits += 1) await world.db`select`;
        await withdraw(talk);
      });
      await Promise.all(queued);
    }
    await world.dispatcher.drain();
    const rows = await Promise.all(ids.map((id) => readMessage(world, id)));
    const posted = receiver.requests.filter((request) => request.path === path);
    const sent = posted.map(({ rawBody }) => JSON.parse(String(rawBody)).message.id);
    const inAll = (isMeant: (row: MessageRow) => boolean) =>
      rows.filter(isMeant).map(({ id }) => showId('message', id));
    const withdrawn = inAll((row) => row.status === 'withdrawn' && row.attemptsMade === 0);
    expect(withdrawn.length).toBeGreaterThan(0);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((id) => withdrawn.includes(id))).toEqual([]);
    expect(new Set(sent).size).toBe(sent.length);
    expect(new Set(inAll((row) => row.status === 'sent'))).toEqual(new Set(status === 200 ? sent : []));
  },
  60_000,
);
