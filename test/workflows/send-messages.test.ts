import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createActivities } from '../../src/activities/index.ts';
import { callbackBody } from '../../src/shared/messages/channels/api/callback.ts';
import { updateChannel } from '../../src/shared/messages/channels/manage.ts';
import { queueMessages } from '../../src/shared/messages/outbound/queue-messages.ts';
import { readId, showId } from '../../src/shared/ids.ts';
import { createFirstPasses } from '../../src/shared/platform/dispatch/first-passes.ts';
import { parseEgressAllow } from '../../src/shared/platform/egress/addresses.ts';
import { createEgress } from '../../src/shared/platform/egress/client.ts';
import { takeSlot } from '../../src/shared/messages/outbound/slots.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { startLadderWorld, type LadderWorld } from '../helpers/ladder-world.ts';
import { aChannel, aTalk, channelSecret, readMessage, send, sendingsOf, type Talk } from '../helpers/messages.ts';
import { verifySignature } from '../helpers/receiver.ts';
import { agePreviousSecrets } from '../helpers/states/webhooks.ts';
import { forgetPreviousSecrets } from '../../src/shared/signing/secrets.ts';
import { setContactStatus } from '../helpers/states/conversations.ts';
import { makeSendingOverdue, queueEarlier } from '../helpers/states/sendings.ts';
import { shownOf, timersOf } from '../helpers/temporal.ts';

describe('the messages of a conversation', () => {
  let env: LadderWorld['env'];
  let world: LadderWorld['world'];
  let receiver: LadderWorld['receiver'];
  let stop: LadderWorld['stop'];
  let channelId: string;
  let before = 0;

  beforeAll(async () => {
    ({ env, world, receiver, stop } = await startLadderWorld());
    channelId = await aChannel(world, receiver.url('/to-visitors'));
  });

  afterEach(() => {
    before = receiver.requests.length;
    world.useClient(env.client);
  });

  afterAll(() => stop());

  const received = () => receiver.requests.slice(before);
  const textsReceived = () => received().map(({ rawBody }) => JSON.parse(String(rawBody)).message.text);

  /** Queues messages while nothing is started, then has them sent to the end. Answers their ids, the workflow's id and its result. */
  const sendAll = async (talk: Talk, texts: string[], meanwhile = async (_ids: string[]): Promise<void> => {}) => {
    world.useClient(undefined);
    const ids: string[] = [];
    for (const text of texts) ids.push(await send(world, talk, text));
    await world.dispatcher.drain();
    const workflowId = sendingsOf(world).at(-1) ?? '';
    await meanwhile(ids);
    world.useClient(env.client);
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    const ended = await env.client.workflow.getHandle(workflowId).result();
    return { ids, workflowId, ended };
  };

  const statusesOf = async (ids: string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { status, reason, statusCode, attemptsMade } = await readMessage(world, id);
        return [status, reason, statusCode, attemptsMade];
      }),
    );

  const countSendings = async () => (await world.db`select from sendings`).count;

  test('go out one after the other in their order, signed by the secret of the channel, and nothing is left behind', async () => {
    receiver.respondWith(204);
    const talk = await aTalk(world, channelId);
    const { ids, ended } = await sendAll(talk, ['one', 'two', 'three']);
    expect(ended).toEqual({ sent: 3, failed: 0, unknown: 0 });
    expect(textsReceived()).toEqual(['one', 'two', 'three']);
    expect(await statusesOf(ids)).toEqual(ids.map(() => ['sent', null, 204, 1]));
    expect(await countSendings()).toBe(0);
    const [request] = received();
    const { conversationId, createdAt } = await readMessage(world, ids[0] ?? '');
    const id = showId('message', ids[0] ?? '');
    expect(request?.headers).toMatchObject({ 'webhook-id': id, 'content-type': 'application/json' });
    expect(
      verifySignature(request?.rawBody ?? Buffer.of(), channelSecret, request?.headers['x-service-signature']),
    ).toBe(true);
    expect(callbackBody.parse(JSON.parse(String(request?.rawBody)))).toEqual({
      id,
      event: 'message',
      channel: { id: showId('channel', channelId), type: 'api' },
      contact: { id: showId('contact', talk.contactId), sender_external_id: null },
      conversation: { id: showId('conversation', conversationId) },
      message: {
        id,
        text: 'one',
        image_url: null,
        quick_replies: [],
        client_ref: null,
        created_at: createdAt.toISOString(),
      },
    });
  });

  test('that fail are tried again after 30 s, 1, 2, 4 and 8 minutes with the same bytes, and those behind wait for them', async () => {
    receiver.respondWith([500, 404, 302, 503, 500, 200]);
    const { ids, workflowId, ended } = await sendAll(await aTalk(world, channelId), ['one', 'two']);
    expect(ended).toEqual({ sent: 2, failed: 0, unknown: 0 });
    expect(textsReceived()).toEqual(['one', 'one', 'one', 'one', 'one', 'one', 'two']);
    expect(
      new Set(
        received()
          .slice(0, 6)
          .map(({ rawBody }) => String(rawBody)),
      ).size,
    ).toBe(1);
    expect(await timersOf(env.client, workflowId)).toEqual([30_000, 60_000, 120_000, 240_000, 480_000]);
    expect(await statusesOf(ids)).toEqual([
      ['sent', null, 200, 6],
      ['sent', null, 200, 1],
    ]);
  });

  test('that are refused six times are failed, and the next one is sent', async () => {
    receiver.respondWith([...Array<number>(6).fill(404), 200]);
    const { ids, ended } = await sendAll(await aTalk(world, channelId), ['one', 'two']);
    expect(ended).toEqual({ sent: 1, failed: 1, unknown: 0 });
    expect((await statusesOf(ids))[0]).toEqual(['failed', 'status', 404, 6]);
    expect(await countSendings()).toBe(0);
  });

  test.for([400, 410, 413, 415, 422])(
    'that are answered %i are failed at once, and the next one is sent',
    async (status) => {
      receiver.respondWith([status, 200]);
      const { ids, workflowId, ended } = await sendAll(await aTalk(world, channelId), ['one', 'two']);
      expect(ended).toEqual({ sent: 1, failed: 1, unknown: 0 });
      expect(await statusesOf(ids)).toEqual([
        ['failed', 'status', status, 1],
        ['sent', null, 200, 1],
      ]);
      expect(await timersOf(env.client, workflowId)).toEqual([]);
    },
  );

  test.for([401, 403, 404, 405, 409, 429, 500, 503])(
    'that are answered %i are tried again, because a bad deploy looks so',
    async (status) => {
      receiver.respondWith([status, 200]);
      const { ids } = await sendAll(await aTalk(world, channelId), ['one']);
      expect(await statusesOf(ids)).toEqual([['sent', null, 200, 2]]);
    },
  );

  test('that are refused for good after some other failure are failed then', async () => {
    receiver.respondWith([500, 422, 200]);
    const { ids } = await sendAll(await aTalk(world, channelId), ['one', 'two']);
    expect(await statusesOf(ids)).toEqual([
      ['failed', 'status', 422, 2],
      ['sent', null, 200, 1],
    ]);
  });

  test('that were sent once without an answer are unknown in the end, whatever the other attempts met', async () => {
    receiver.respondWith([{ type: 'close' }, 500]);
    const { ids } = await sendAll(await aTalk(world, channelId), ['one']);
    expect(await statusesOf(ids)).toEqual([['unknown', 'status', 500, 6]]);
  });

  test('that never reached anybody are failed', async () => {
    const nowhere = await aChannel(world, 'https://127.0.0.1:1/');
    const { ids } = await sendAll(await aTalk(world, nowhere), ['one']);
    expect(await statusesOf(ids)).toEqual([['failed', 'connect', null, 6]]);
  });

  test('that have waited longer than the ladder is long have one attempt', async () => {
    receiver.respondWith(500);
    const { ids } = await sendAll(await aTalk(world, channelId), ['one', 'two'], ([, second = '']) =>
      queueEarlier(world.db, second, 16 * 60),
    );
    expect(await statusesOf(ids)).toEqual([
      ['failed', 'status', 500, 6],
      ['failed', 'status', 500, 1],
    ]);
  });

  test('are not sent any more to a contact that has unsubscribed or was blocked meanwhile', async () => {
    for (const status of ['unsubscribed', 'blocked'] as const) {
      const talk = await aTalk(world, channelId);
      const { ids } = await sendAll(talk, ['one'], () => setContactStatus(world.db, talk.contactId, status));
      expect(await statusesOf(ids)).toEqual([['failed', status, null, 0]]);
    }
    expect(received()).toEqual([]);
  });

  test('go where the channel leads when they have the slot, signed by its secret of then and by the one before it', async () => {
    receiver.respondWith(200);
    const moving = await aChannel(world, receiver.url('/old'));
    const change = async () => {
      const changes = { callback_url: receiver.url('/new'), secret: 'the next secret' };
      await updateChannel(world, world.accountId, { id: moving, changes });
    };
    await sendAll(await aTalk(world, moving), ['one'], change);
    const [request] = received();
    expect(request?.path).toBe('/new');
    const { headers = {}, rawBody = Buffer.of() } = request ?? {};
    expect(verifySignature(rawBody, 'the next secret', headers['x-service-signature'])).toBe(true);
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    await agePreviousSecrets(world.db, 24);
    await sendAll(await aTalk(world, moving), ['a day later']);
    expect(String(received()[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
    await forgetPreviousSecrets(world.db);
    expect(await world.db`select from channels where previous_secret is not null`).toHaveLength(0);
    const leaveNowhere = async () => {
      await updateChannel(world, world.accountId, { id: moving, changes: { callback_url: null } });
    };
    const { ids } = await sendAll(await aTalk(world, moving), ['two'], leaveNowhere);
    expect(await statusesOf(ids)).toEqual([['sent', null, null, 0]]);
    expect(received()).toHaveLength(2);
  });

  test('of a lost workflow are gone on with from what is recorded: no attempt is made twice, none is left out', async () => {
    receiver.respondWith([500, 200]);
    world.useClient(undefined);
    const talk = await aTalk(world, channelId);
    const ids = [await send(world, talk, 'one'), await send(world, talk, 'two')];
    await world.dispatcher.drain();
    const sendingId = (sendingsOf(world).at(-1) ?? '').replace('sending/', '');
    expect(await world.activities.sendNextMessage({ sendingId, resumes: 0 })).toMatchObject({
      type: 'wait',
      attemptsMade: 1,
    });
    // A workflow that was reset asks again before the time: nothing is sent.
    expect(await world.activities.sendNextMessage({ sendingId, resumes: 0 })).toMatchObject({
      type: 'wait',
      attemptsMade: 1,
    });
    expect(received()).toHaveLength(1);
    world.useClient(env.client);
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    const handle = env.client.workflow.getHandle(`sending/${sendingId}`);
    expect(await handle.result()).toEqual({ sent: 2, failed: 0, unknown: 0 });
    expect(textsReceived()).toEqual(['one', 'one', 'two']);
    expect(await statusesOf(ids)).toEqual([
      ['sent', null, 200, 2],
      ['sent', null, 200, 1],
    ]);
    // The answer of the last slot was lost: there is nothing left to do.
    expect(await world.activities.sendNextMessage({ sendingId, resumes: 0 })).toEqual({ type: 'over' });
  });

  test('of a workflow that was terminated are carried on by another, and the old one gets no slot any more', async () => {
    receiver.respondWith([500, 200]);
    world.useClient(undefined);
    const talk = await aTalk(world, channelId);
    await send(world, talk, 'one');
    await world.dispatcher.drain();
    const workflowId = sendingsOf(world).at(-1) ?? '';
    const sendingId = workflowId.replace('sending/', '');
    world.useClient(env.client);
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    // Its attempt is over: this server's clock never jumps again when a workflow is terminated while an activity is under way.
    await expect.poll(() => timersOf(env.client, workflowId), { timeout: 60_000 }).toEqual([30_000]);
    await env.client.workflow.getHandle(workflowId).terminate();
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    expect(await world.activities.sendNextMessage({ sendingId, resumes: 0 })).toEqual({ type: 'over' });
    const resumed = env.client.workflow.getHandle(`${workflowId}/resume/1`);
    expect(await resumed.result()).toEqual({ sent: 1, failed: 0, unknown: 0 });
    expect(textsReceived()).toEqual(['one', 'one']);
  });

  test('queued by many at once, while others of them end, are all sent once', async () => {
    receiver.respondWith(200);
    const talk = await aTalk(world, channelId);
    const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => send(world, talk, String(index))));
    await expect
      .poll(async () => (await world.db`select from outbound_messages where status = 'queued'`).count, {
        timeout: 30_000,
      })
      .toBe(0);
    expect(textsReceived().toSorted((a, b) => a - b)).toEqual(ids.map((_, index) => String(index)));
    const seqs = await world.db<
      { text: string }[]
    >`select text from messages where contact_id = ${talk.contactId} order by seq`;
    expect(textsReceived()).toEqual(seqs.map(({ text }) => text));
    await expect.poll(countSendings, { timeout: 60_000 }).toBe(0);
  });

  test('queued while the last one before it ends are sent, too: the end waits to see them', async () => {
    receiver.respondWith(200);
    world.useClient(undefined);
    const talk = await aTalk(world, channelId);
    await send(world, talk, 'one');
    await world.dispatcher.drain();
    const sendingId = (sendingsOf(world).at(-1) ?? '').replace('sending/', '');
    const commit = Promise.withResolvers<void>();
    const isQueued = Promise.withResolvers<void>();
    const queueing = world.transact(async (tx) => {
      await queueMessages(tx, { accountId: world.accountId, ...talk, messages: [{ text: 'two' }] });
      isQueued.resolve();
      await commit.promise;
    });
    await isQueued.promise;
    const ending = world.activities.sendNextMessage({ sendingId, resumes: 0 });
    await Promise.race([untilSomebodyWaits(world.db), ending]);
    commit.resolve();
    await queueing;
    expect(await ending).toMatchObject({ type: 'ended', status: 'sent', more: true });
    expect(await world.activities.sendNextMessage({ sendingId, resumes: 0 })).toMatchObject({
      status: 'sent',
      more: false,
    });
    expect(textsReceived()).toEqual(['one', 'two']);
  });

  test('whose outcome could not be written in time are recorded later, and not sent again', async () => {
    receiver.respondWith(200);
    world.useClient(undefined);
    const id = await send(world, await aTalk(world, channelId));
    await world.dispatcher.drain();
    const sending = { sendingId: (sendingsOf(world).at(-1) ?? '').replace('sending/', ''), resumes: 0 };
    const { conversationId } = await readMessage(world, id);
    const held = await world.db.reserve();
    onTestFinished(() => held.release());
    await held`begin`;
    await held`select from conversations where id = ${conversationId} for update`;
    const slot = await world.activities.sendNextMessage(sending);
    await held`rollback`;
    const { attempt: unrecorded } = slot.type === 'unrecorded' ? slot : {};
    expect(unrecorded).toMatchObject({ messageId: showId('message', id), number: 1, outcome: 'sent' });
    const ended = { type: 'ended', status: 'sent', messageId: showId('message', id) };
    for (const _ of ['once', 'and again, because the answer was lost'])
      expect(await world.activities.sendNextMessage(sending, { ...(unrecorded && { unrecorded }) })).toMatchObject(
        ended,
      );
    expect(received()).toHaveLength(1);
    expect(await statusesOf([id])).toEqual([['sent', null, 200, 1]]);
    expect(await countSendings()).toBe(0);
  });

  test('whose refusal for good could not be written in time are failed once it is, and not sent again', async () => {
    receiver.respondWith(422);
    world.useClient(undefined);
    const id = await send(world, await aTalk(world, channelId));
    await world.dispatcher.drain();
    const sending = { sendingId: (sendingsOf(world).at(-1) ?? '').replace('sending/', ''), resumes: 0 };
    const { conversationId } = await readMessage(world, id);
    const held = await world.db.reserve();
    onTestFinished(() => held.release());
    await held`begin`;
    await held`select from conversations where id = ${conversationId} for update`;
    const slot = await world.activities.sendNextMessage(sending);
    await held`rollback`;
    const { attempt: unrecorded } = slot.type === 'unrecorded' ? slot : {};
    expect(await world.activities.sendNextMessage(sending, { ...(unrecorded && { unrecorded }) })).toMatchObject({
      type: 'ended',
      status: 'failed',
    });
    expect(received()).toHaveLength(1);
  });

  test('whose success is recorded after they were given up are sent: they have arrived', async () => {
    receiver.respondWith(200);
    world.useClient(undefined);
    const talk = await aTalk(world, channelId);
    const id = await send(world, talk);
    await world.dispatcher.drain();
    const sending = { sendingId: (sendingsOf(world).at(-1) ?? '').replace('sending/', ''), resumes: 0 };
    await setContactStatus(world.db, talk.contactId, 'blocked');
    expect(await world.activities.sendNextMessage(sending)).toMatchObject({ type: 'ended', status: 'failed' });
    const unrecorded = { messageId: showId('message', id), number: 1, outcome: 'sent', statusCode: 200 } as const;
    const slot = await world.activities.sendNextMessage(sending, { unrecorded });
    expect(slot).toMatchObject({ type: 'ended', status: 'sent' });
    expect(await statusesOf([id])).toEqual([['sent', null, 200, 1]]);
  });

  test('whose process died during an attempt are unknown when the next one is refused for good', async () => {
    receiver.respondWith(422);
    const { ids } = await sendAll(await aTalk(world, channelId), ['one'], async () => {
      const sendingId = readId('sending', (sendingsOf(world).at(-1) ?? '').replace('sending/', ''));
      await takeSlot(world.db, { sendingId, resumes: 0 }, undefined);
    });
    expect(await statusesOf(ids)).toEqual([['unknown', 'status', 422, 1]]);
  });

  test('that this process is too busy to send are tried again by Temporal, and nothing is held against their channel', async () => {
    const egress = createEgress({ allow: parseEgressAllow('127.0.0.0/8'), connectionsPerOrigin: 0 });
    onTestFinished(() => egress.close());
    const busy = createActivities({
      ...world,
      tellTopics: () => {},
      egress,
      callEgress: world.egress,
      log: pino({ level: 'silent' }),
      mailer: { send: async () => 'sent', close: () => {} },
      firstPasses: createFirstPasses(),
      baseUrl: 'https://app.parley.example',
      apiUrl: 'https://api.parley.example',
      retentionDays: 90,
    });
    receiver.respondWith(422);
    const { ids } = await sendAll(await aTalk(world, channelId), ['one'], async () => {
      const sendingId = (sendingsOf(world).at(-1) ?? '').replace('sending/', '');
      await expect(busy.sendNextMessage({ sendingId, resumes: 0 })).rejects.toThrow('its share of attempts');
    });
    expect(await statusesOf(ids)).toEqual([['failed', 'status', 422, 1]]);
  });

  test("tell Temporal's UI ids, numbers and reasons, and nothing of what they say", async () => {
    receiver.respondWith([500, 200]);
    const id = showId('message', await send(world, await aTalk(world, channelId), 'a private text'));
    await world.dispatcher.drain();
    const workflowId = sendingsOf(world).at(-1) ?? '';
    const asleep = expect.stringMatching(
      `^\\*\\*${id}: HTTP 500; retry 1 of 5 in 30 s\\*\\*, at [-\\d]{10} [:\\d]{8} UTC\\.$`,
    );
    await expect.poll(async () => (await shownOf(env.client, workflowId)).details, { timeout: 20_000 }).toEqual(asleep);
    await env.client.workflow.getHandle(workflowId).result();
    const { details, summaries } = await shownOf(env.client, workflowId);
    expect(summaries).toEqual(
      expect.arrayContaining(['the next message', `${id}: HTTP 500; retry 1 of 5 in 30 s`, `${id}: attempt 2 of 6`]),
    );
    expect(details).toBe(`**${id} sent**. 1 sent.`);
    const { events } = await env.client.workflow.getHandle(workflowId).fetchHistory();
    const history = JSON.stringify(events, (_, value) =>
      value?.type === 'Buffer' ? String(Buffer.from(value.data)) : value,
    );
    for (const hidden of ['private', '127.0.0.1', channelSecret]) expect(history.includes(hidden)).toBe(false);
  });

  test('are verified by the libraries of Standard Webhooks', async () => {
    receiver.respondWith(200);
    await sendAll(await aTalk(world, channelId), ['one']);
    const { rawBody = '', headers = {} } = received()[0] ?? {};
    const verified = new Webhook(channelSecret).verify(rawBody, z.record(z.string(), z.string()).parse(headers));
    expect(verified).toMatchObject({ id: headers['webhook-id'] });
  });
});
