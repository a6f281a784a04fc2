import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid, showId } from '../../../../../src/shared/ids.ts';
import { prepareChannel } from '../../../../../src/shared/messages/channels/manage.ts';
import type { SendMessages } from '../../../../../src/shared/messages/outbound/types.ts';
import { nobody } from '../../../../../src/shared/platform/processes/own-process.ts';
import { kindsWithCarrier } from '../../../../helpers/carrier/kinds.ts';
import { startCarrier, type CarrierService } from '../../../../helpers/carrier/service.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { holdLock } from '../../../../helpers/locks.ts';
import { aTalk, readMessage, send, type Talk } from '../../../../helpers/messages.ts';
import { clientOfSilence } from '../../../../helpers/silent-temporal.ts';
import { makeSendingOverdue } from '../../../../helpers/states/sendings.ts';

describe('a lane that its outbox hands over', () => {
  let world: DeliveryWorld;
  let service: CarrierService;
  let talk: Talk;

  /** The inputs of the workflows that Temporal was asked for, and carries none of them out. */
  const asked: SendMessages[] = [];

  beforeAll(async () => {
    world = await startDeliveryWorld({ sendsMessages: true, channelKinds: kindsWithCarrier });
  });
  afterAll(() => world.stop());

  beforeEach(async () => {
    asked.length = 0;
    world.useClient(await startsOnly());
    service = await startCarrier();
    talk = await aTalkOver(world);
  });

  const startsOnly = () => {
    const startWithDetails = async ({ options }: { options: { args: unknown[] } }) => {
      asked.push(JSON.parse(JSON.stringify(options.args[0])));
      return { runId: newUuid(), eagerlyStarted: false };
    };
    return clientOfSilence({ interceptors: { workflow: [{ startWithDetails }] } });
  };
  const aTalkOver = async (of: DeliveryWorld): Promise<Talk> => {
    const channel = {
      type: 'carrier',
      name: 'Short messages',
      carrier_url: service.url,
      token: 'token-1',
      signature: '',
    };
    const { created } = await prepareChannel(of, of.accountId, channel);
    return aTalk(of, created?.id ?? expect.fail('the channel was not connected'));
  };
  const sent = () => service.bodies('/send').map(({ text }) => text);
  const until = (condition: () => boolean | Promise<boolean>) =>
    vi.waitUntil(condition, { timeout: 30_000, interval: 10 });
  const putOff = { type: 'respond', status: 429, headers: { 'retry-after': '1' } } as const;
  const taken = { type: 'respond', body: '{"ref": "r"}' } as const;
  const putOffOnce = async (): Promise<SendMessages> => {
    service.answer('/send', putOff);
    await send(world, talk, 'one');
    await world.dispatcher.drain();
    return asked[0] ?? expect.fail('no workflow was asked for');
  };

  test('is nobody’s, for its workflow to take at once, and the put off message counts as unsent', async () => {
    const sending = await putOffOnce();
    const lanes = await world.db`
      select s.sender, s.sweep_at > clock_timestamp() as is_later, o.attempt_since, o.unanswered
      from sendings s join outbound_messages o using (conversation_id) where s.contact_id = ${talk.contactId}`;
    expect(lanes).toEqual([{ sender: nobody, isLater: true, attemptSince: null, unanswered: false }]);
    service.answer('/send', taken);
    expect(await world.activities.sendNextMessage(sending)).toMatchObject({ type: 'ended', status: 'sent' });
    expect(sent()).toEqual(['one', 'one']);
  });

  test('is not taken by its late workflow while the outbox sends again after its lease', async () => {
    const sending = await putOffOnce();
    const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<typeof taken>()];
    service.answer('/send', () => {
      arrived.resolve();
      return answer.promise;
    });
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    await arrived.promise;
    expect(await world.activities.sendNextMessage(sending)).toEqual({ type: 'over' });
    answer.resolve(taken);
    await world.lanes.drain();
    expect(sent()).toEqual(['one', 'one']);
  });

  test('while Temporal is away is sent again later each time, and not before its channel said', async () => {
    world.useClient(undefined);
    service.answer('/send', { ...putOff, headers: { 'retry-after': '9' } });
    const waits = async () => {
      const [lane = expect.fail('no lane')] = await world.db<{ sender: string; seconds: number; sweeps: number }[]>`
        select sender, sweeps, extract(epoch from sweep_at - clock_timestamp())::float8 as seconds
        from sendings where contact_id = ${talk.contactId}`;
      return lane;
    };
    await send(world, talk, 'one');
    await world.dispatcher.drain();
    const first = await waits();
    expect(first).toMatchObject({ sender: nobody, sweeps: 1 });
    expect(first.seconds).toBeGreaterThan(5);
    expect(first.seconds).toBeLessThanOrEqual(9);
    for (const sweeps of [2, 3]) {
      await makeSendingOverdue(world.db, talk);
      await world.sweep();
      await world.lanes.drain();
      expect((await waits()).sweeps).toBe(sweeps);
    }
    const third = await waits();
    expect(third.seconds).toBeGreaterThan(10);
    expect(third.seconds).toBeLessThanOrEqual(60);
  });

  test('while Temporal is away waits as shortly as at first when it is put off again after a success', async () => {
    world.useClient(undefined);
    const sweeps = async () =>
      (await world.db<{ sweeps: number }[]>`select sweeps from sendings where contact_id = ${talk.contactId}`)[0]
        ?.sweeps;
    const sweep = async () => {
      await makeSendingOverdue(world.db, talk);
      await world.sweep();
      await world.lanes.drain();
    };
    service.answer('/send', putOff);
    await send(world, talk, 'one');
    await world.dispatcher.drain();
    await sweep();
    expect(await sweeps()).toBe(2);
    await send(world, talk, 'two');
    service.answer('/send', ({ rawBody }) => (String(rawBody).includes('one') ? taken : putOff));
    await sweep();
    expect(sent()).toEqual(['one', 'one', 'one', 'two']);
    expect(await sweeps()).toBe(1);
  });

  test('with an outcome that a process could not record before it stopped goes to the workflow', async () => {
    const stops = await startDeliveryWorld({ sendsMessages: true, channelKinds: kindsWithCarrier });
    onTestFinished(() => stops.stop());
    stops.useClient(await startsOnly());
    talk = await aTalkOver(stops);
    const answer = Promise.withResolvers<typeof taken>();
    service.answer('/send', () => answer.promise);
    const id = await send(stops, talk, 'one');
    await until(() => sent().length === 1);
    const held = await holdLock(
      stops.db,
      (sql) => sql`select from outbound_messages where message_id = ${id} for update`,
    );
    stops.lanes.close();
    answer.resolve(taken);
    await stops.dispatcher.drain();
    await held.letThrough();
    const [{ unrecorded, ...sending } = expect.fail('no workflow was asked for')] = asked;
    expect(unrecorded).toMatchObject({ messageId: showId('message', id), outcome: 'sent', ref: 'r' });
    expect(await stops.activities.sendNextMessage(sending, unrecorded && { unrecorded })).toMatchObject({
      status: 'sent',
    });
    expect((await readMessage(stops, id)).status).toBe('sent');
    expect(sent()).toEqual(['one']);
  });
});
