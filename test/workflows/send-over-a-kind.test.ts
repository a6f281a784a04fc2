import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteChannel, prepareChannel } from '../../src/shared/messages/channels/manage.ts';
import { takeSlot } from '../../src/shared/messages/outbound/slots.ts';
import { queueMessages } from '../../src/shared/messages/outbound/queue-messages.ts';
import { receiveTold } from '../../src/shared/messages/inbound/receive-told.ts';
import { createInboundStatements } from '../../src/shared/messages/inbound/share-statements.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { kindsWithCarrier } from '../helpers/carrier/kinds.ts';
import { startCarrier, type CarrierService } from '../helpers/carrier/service.ts';
import { startLadderWorld, type LadderWorld } from '../helpers/ladder-world.ts';
import { readMessage, send, sendingsOf, type Talk } from '../helpers/messages.ts';
import { refuseReturns } from '../helpers/refused-returns.ts';
import { makeSendingOverdue, queueEarlier } from '../helpers/states/sendings.ts';

describe('messages over a channel of a kind that the product does not have', () => {
  let ladder: LadderWorld;
  let world: LadderWorld['world'];
  let service: CarrierService;
  let talk: Talk;

  beforeAll(async () => {
    ladder = await startLadderWorld({ channelKinds: kindsWithCarrier });
    ({ world } = ladder);
  });
  afterAll(() => ladder.stop());

  beforeEach(async () => {
    service = await startCarrier();
    const asked = {
      type: 'carrier',
      name: 'Short messages',
      carrier_url: service.url,
      token: 'token-1',
      signature: '!',
    };
    const { created } = await prepareChannel(world, world.accountId, asked);
    const channelId = created?.id ?? expect.fail('the channel was not connected');
    await tell(channelId, [
      { type: 'message', message: { message_id: newUuid(), sender: { external_id: '+49' }, text: 'hi' } },
    ]);
    const [row] = await world.db<{ contactId: string }[]>`
      select contact_id from contact_identities where channel_id = ${channelId}`;
    talk = { contactId: row?.contactId ?? '', channelId };
  });

  /** What the service hands in over a channel. */
  const tell = (channelId: string, told: Parameters<typeof receiveTold>[2]) =>
    receiveTold(
      { ...world, inbound: createInboundStatements({ db: world.db, forMessages: world.db }) },
      { accountId: world.accountId, channelId },
      told,
    );

  /** Queues messages while nothing is started, then has them sent to the end; answers their ids. */
  const sendAll = async (queue: () => Promise<string[]>, meanwhile = async (_ids: string[]): Promise<void> => {}) => {
    world.useClient(undefined);
    const ids = await queue();
    await world.dispatcher.drain();
    await meanwhile(ids);
    world.useClient(ladder.env.client);
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    await ladder.env.client.workflow.getHandle(sendingsOf(world).at(-1) ?? '').result();
    return ids;
  };
  const sendTexts = (...texts: string[]) =>
    sendAll(async () => {
      const ids: string[] = [];
      for (const text of texts) ids.push(await send(world, talk, text));
      return ids;
    });
  const ended = (ids: string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { status, reason, statusCode, attemptsMade } = await readMessage(world, id);
        return [status, reason, statusCode, attemptsMade];
      }),
    );
  const contactStatus = async () =>
    (await world.db<{ status: string }[]>`select status from contacts where id = ${talk.contactId}`)[0]?.status;

  const isBlocked = async () =>
    (
      await world.db<{ blockedAt: Date | null }[]>`
        select blocked_at from contact_identities where channel_id = ${talk.channelId}`
    )[0]?.blockedAt !== null;

  test('go out with what the channel is set up with, and their receipts find them by their refs', async () => {
    const ids = await sendTexts('one', 'two');
    expect(service.bodies('/send')).toEqual([
      { to: '+49', text: 'one!' },
      { to: '+49', text: 'two!' },
    ]);
    expect(await ended(ids)).toEqual(ids.map(() => ['sent', null, null, 1]));
    const [, second = ''] = ids;
    const [row] = await world.db<{ ref: string }[]>`
      select external_ref as ref from outbound_messages where message_id = ${second}`;
    expect(row?.ref).toMatch(/^ref-/);
    await tell(talk.channelId, [
      { type: 'read', ref: row?.ref ?? '' },
      { type: 'read', ref: 'unheard of' },
    ]);
    const readAt = await Promise.all(ids.map(async (id) => (await readMessage(world, id)).readAt));
    expect(readAt).toEqual([null, expect.any(Date)]);
    await tell(talk.channelId, [{ type: 'read', ref: row?.ref ?? '' }]);
    expect((await readMessage(world, second)).readAt).toEqual(readAt[1]);
  });

  test('that are refused for good are failed at once, and the next one is sent', async () => {
    let asked = 0;
    service.answer('/send', () => ((asked += 1) === 1 ? 400 : { type: 'respond', body: '{"ref": "r"}' }));
    expect(await ended(await sendTexts('one', 'two'))).toEqual([
      ['failed', 'status', 400, 1],
      ['sent', null, null, 1],
    ]);
    expect(await contactStatus()).toBe('active');
  });

  test('to a contact that has blocked the channel are not sent until it writes there again', async () => {
    service.answer('/send', 403);
    expect(await ended(await sendTexts('one', 'two'))).toEqual([
      ['failed', 'status', 403, 1],
      ['failed', 'blocked_by_contact', null, 0],
    ]);
    expect(service.bodies('/send')).toHaveLength(1);
    expect(await contactStatus()).toBe('active');
    expect(await isBlocked()).toBe(true);
    const message = { message_id: newUuid(), sender: { external_id: '+49' }, text: 'I am back' };
    await tell(talk.channelId, [{ type: 'message', message }]);
    expect(await isBlocked()).toBe(false);
  });

  test('that the service puts off are sent when it says so, with nothing held against them', async () => {
    let asked = 0;
    const later = { type: 'respond', status: 429, headers: { 'retry-after': '7' } } as const;
    service.answer('/send', () => ((asked += 1) <= 2 ? later : { type: 'respond', body: '{"ref": "r"}' }));
    const ids = await sendTexts('one', 'two');
    expect(await ended(ids)).toEqual(ids.map(() => ['sent', null, null, 1]));
    expect(service.bodies('/send').map(({ text }) => text)).toEqual(['one!', 'one!', 'one!', 'two!']);
  });

  test('that the service puts off are sent once, although their slots are given back only later', async () => {
    let asked = 0;
    const later = { type: 'respond', status: 429, headers: { 'retry-after': '1' } } as const;
    service.answer('/send', () => ((asked += 1) === 1 ? later : { type: 'respond', body: '{"ref": "r"}' }));
    const returns = await refuseReturns(world.db);
    const sending = sendTexts('one', 'two');
    await expect.poll(returns.times, { timeout: 30_000 }).toBeGreaterThan(1);
    await returns.letThrough();
    const ids = await sending;
    expect(await ended(ids)).toEqual(ids.map(() => ['sent', null, null, 1]));
    expect(service.bodies('/send').map(({ text }) => text)).toEqual(['one!', 'one!', 'two!']);
    const workflowId = sendingsOf(world).at(-1) ?? '';
    const history = await ladder.env.client.workflow.getHandle(workflowId).fetchHistory();
    const options = { workflowBundle: { codePath: inject('workflowBundle') } };
    await expect(Worker.runReplayHistory(options, history, workflowId)).resolves.toBeUndefined();
  });

  test('that the service has put off for a day are failed, and the next one is tried', async () => {
    let asked = 0;
    const later = { type: 'respond', status: 429, headers: { 'retry-after': '3600' } } as const;
    service.answer('/send', () => ((asked += 1) === 1 ? later : { type: 'respond', body: '{"ref": "r"}' }));
    const ids = await sendAll(
      async () => [await send(world, talk, 'one'), await send(world, talk, 'two')],
      ([first = '']) => queueEarlier(world.db, first, 25 * 60 * 60),
    );
    expect(await ended(ids)).toEqual([
      ['failed', 'put_off', null, 0],
      ['sent', null, null, 1],
    ]);
  });

  test('with more than the kind takes are refused in words to callers, and failed unsent from flows', async () => {
    const tooMuch = { text: 'x'.repeat(161), quickReplies: ['a', 'b', 'c', 'd'.repeat(21)] };
    await expect(send(world, talk, tooMuch.text)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'text', message: 'must have at most 160 characters on this channel' }],
    });
    const ids = await sendAll(() =>
      world.transact(async (tx) => {
        const messages = [tooMuch, { text: 'fits', quickReplies: ['a', 'b', 'c', 'd'] }, { text: 'fits' }];
        const queued = await queueMessages(tx, { accountId: world.accountId, ...talk, messages });
        return queued.map(({ messageId }) => messageId);
      }),
    );
    expect(await ended(ids)).toEqual([
      ['failed', 'over_limits', null, 0],
      ['failed', 'over_limits', null, 0],
      ['sent', null, null, 1],
    ]);
    expect(service.bodies('/send')).toHaveLength(1);
  });

  test('of a kind that is not repeatable are unknown and not sent again when an attempt was cut off', async () => {
    const ids = await sendAll(
      async () => [await send(world, talk, 'one'), await send(world, talk, 'two')],
      async () => {
        const [lane] = await world.db<{ id: string }[]>`select id from sendings where channel_id = ${talk.channelId}`;
        await takeSlot(world.db, { sendingId: lane?.id ?? '', resumes: 0 }, undefined);
      },
    );
    expect(await ended(ids)).toEqual([
      ['unknown', null, null, 0],
      ['sent', null, null, 1],
    ]);
    expect(service.bodies('/send').map(({ text }) => text)).toEqual(['two!']);
  });

  test('of a kind that is not repeatable are unknown at once when no answer came, and the next one is sent', async () => {
    let asked = 0;
    service.answer('/send', () => ((asked += 1) === 1 ? { type: 'close' } : { type: 'respond', body: '{"ref": "r"}' }));
    expect(await ended(await sendTexts('one', 'two'))).toEqual([
      ['unknown', 'reset', null, 1],
      ['sent', null, null, 1],
    ]);
    expect(service.bodies('/send').map(({ text }) => text)).toEqual(['one!', 'two!']);
  });

  test('that wait when their channel is deleted are failed, and none is queued any more', async () => {
    const ids = await sendAll(
      async () => [await send(world, talk, 'one')],
      () => deleteChannel(world, world.accountId, talk.channelId),
    );
    expect(await ended(ids)).toEqual([['failed', 'channel_deleted', null, 0]]);
    expect(service.bodies('/send')).toEqual([]);
    await expect(send(world, talk, 'two')).rejects.toMatchObject({ code: 'not_found' });
  });
});
