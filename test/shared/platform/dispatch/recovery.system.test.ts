import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowNotFoundError } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { findBinaries } from '../../../../scripts/binaries.mjs';
import { createWorkers } from '../../../../src/service/workers.ts';
import { createSweep, type Sweep } from '../../../../src/shared/platform/dispatch/sweep.ts';
import { startTemporal, type EmbeddedTemporal } from '../../../../src/shared/platform/embedded/temporal.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import type { Mailer } from '../../../../src/shared/mail/mailer.ts';
import { insertMail } from '../../../../src/shared/mail/queries.ts';
import { connectTemporal } from '../../../../src/shared/platform/temporal/connect.ts';
import { linkTemporal, type TemporalLink } from '../../../../src/shared/platform/temporal/link.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { aPendingRow } from '../../../helpers/deliveries.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';
// Sets up Temporal's runtime, once for all files of a worker.
import '../../../helpers/temporal.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';
import { works } from '../../../../src/shared/works.ts';
import { retireWebhooks } from '../../../helpers/states/webhooks.ts';
import { makeAllOverdue, makeDue } from '../../../helpers/states/deliveries.ts';
import { updateApiWebhook } from '../../../../src/shared/webhooks/queries.ts';

describe('PostgreSQL is the record:', () => {
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  let dataDir: string;
  let server: EmbeddedTemporal;
  let link: TemporalLink;
  let world: DeliveryWorld;
  let receiver: Receiver;
  let sweep: Sweep;
  let mailServerAnswers = true;
  let mailTries = 0;
  const mailer: Mailer = {
    send: async () => {
      mailTries += 1;
      if (!mailServerAnswers) throw new Error('the mail server is away');
      return 'sent';
    },
    close: () => {},
  };

  const start = () => {
    const binary = findBinaries().temporal;
    if (binary === undefined) throw new Error("Temporal's CLI is missing: run node scripts/bootstrap.mjs");
    return startTemporal({ dataDir, log: () => {}, binary, durable: false });
  };

  const linked = () => vi.waitUntil(() => link.answers(), { timeout: 60_000 });

  const getClient = () => {
    const client = link.client();
    if (!client) throw new Error('not connected');
    return client;
  };

  beforeAll(async () => {
    dataDir = tempFolder('recovery');
    [server, world, receiver] = await Promise.all([
      start(),
      startDeliveryWorld({ mailer, sends: true }),
      startReceiver(),
    ]);
    const queues = ['deliveries', 'mail'] as const;
    const bundle = inject('workflowBundle');
    link = linkTemporal({
      connect: () => connectTemporal({ embedded: server.address }),
      createWorkers: (temporal) => createWorkers(temporal, { queues, activities: world.activities, log, bundle }),
      log,
    });
    const { db, outbox } = world;
    sweep = createSweep({ works, db, client: link.client, temporalAnswers: link.answers, outboxes: [outbox], log });
    await linked();
  });

  beforeEach(async () => {
    await retireWebhooks(world.db);
    world.useClient(link.client());
    mailServerAnswers = true;
    mailTries = 0;
    receiver.requests.length = 0;
  });

  afterAll(async () => {
    await link.stop();
    await Promise.all([world.stop(), receiver.close(), server.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A delivery whose first attempt has failed and whose next one is due in `dueInMs` by the record. */
  const aRetryingOne = async (dueInMs: number): Promise<string> => {
    receiver.respondWith([500, 200]);
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await makeDue(world.db, id, { inMs: dueInMs });
    await updateApiWebhook(world.db, webhookId, { events: ['order_placed'] });
    return id;
  };

  const aMail = async (): Promise<string> => {
    const dedupKey = newUuid();
    const { accountId } = world;
    const text = { recipient: 'owner@acme.example', subject: 'Hello', body: 'A mail.' };
    await world.transact((tx) => insertMail(tx, { accountId, kind: 'webhook_disabled', dedupKey, ...text }));
    const [mail] = await world.db<{ id: string }[]>`select id from mails where dedup_key = ${dedupKey}`;
    return mail?.id ?? '';
  };

  const mailStatus = async (id: string) => {
    const [mail] = await world.db<{ status: string }[]>`select status from mails where id = ${id}`;
    return mail?.status;
  };

  /** What was unfinished has waited for an hour. */
  const anHourPasses = async (): Promise<void> => {
    await makeAllOverdue(world.db);
  };

  const isDelivered = async (id: string) => (await world.delivery(id)).status === 'delivered';

  const attemptsOf = async (id: string) =>
    (await world.attempts(id)).map(({ kind, number, outcome }) => `${kind} ${number} ${outcome}`);

  test('a delivery goes on from its recorded attempts, on time, after its workflow was terminated', async () => {
    const id = await aRetryingOne(2_000);
    const { nextAttemptAt } = await world.delivery(id);
    await getClient()
      .workflow.getHandle(`delivery/${showId('delivery', id)}`)
      .terminate();
    await anHourPasses();
    expect(await sweep()).toBe(1);
    await vi.waitUntil(() => isDelivered(id), { timeout: 60_000 });

    expect(await attemptsOf(id)).toEqual(['scheduled 1 failed', 'scheduled 2 succeeded']);
    expect(receiver.requests).toHaveLength(2);
    const late = (receiver.requests[1]?.receivedAtMs ?? 0) - (nextAttemptAt?.getTime() ?? Infinity);
    expect(late).toBeGreaterThan(-50);
    expect(late).toBeLessThan(30_000);
    const resumed = getClient().workflow.getHandle(`delivery/${showId('delivery', id)}/resume/1`);
    expect(await resumed.result()).toMatchObject({ status: 'delivered' });
    expect(await sweep()).toBe(0);
  });

  test('a mail is sent once after its workflow was terminated', async () => {
    mailServerAnswers = false;
    const id = await aMail();
    await vi.waitUntil(() => mailTries > 0, { timeout: 60_000 });
    await getClient()
      .workflow.getHandle(`mail/${showId('mail', id)}`)
      .terminate();
    mailServerAnswers = true;
    mailTries = 0;
    await anHourPasses();
    expect(await sweep()).toBe(1);
    expect(
      await getClient()
        .workflow.getHandle(`mail/${showId('mail', id)}/resume/1`)
        .result(),
    ).toBe('sent');
    expect(await mailStatus(id)).toBe('sent');
    expect(mailTries).toBe(1);
    expect(await sweep()).toBe(0);
  });

  test('unfinished work goes on after the loss of Temporal’s database, and finished work does not', async () => {
    receiver.respondWith(200);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [finished = ''] = await world.anEvent();
    await vi.waitUntil(() => isDelivered(finished), { timeout: 60_000 });
    await retireWebhooks(world.db);
    const id = await aRetryingOne(0);
    mailServerAnswers = false;
    const mailId = await aMail();
    await vi.waitUntil(() => mailTries > 0, { timeout: 60_000 });

    await server.stop();
    await rm(join(dataDir, 'temporal'), { recursive: true });
    expect(await link.answers()).toBe(false);
    expect(await sweep()).toBe(0);
    const { address } = server;
    server = await start();
    expect(server.address).toBe(address);
    mailServerAnswers = true;
    await linked();
    await anHourPasses();
    expect(await sweep()).toBe(2);
    await vi.waitUntil(() => isDelivered(id), { timeout: 60_000 });
    await vi.waitUntil(async () => (await mailStatus(mailId)) === 'sent', { timeout: 60_000 });

    expect(await attemptsOf(id)).toEqual(['scheduled 1 failed', 'scheduled 2 succeeded']);
    expect(await attemptsOf(finished)).toEqual(['scheduled 1 succeeded']);
    const forgotten = getClient().workflow.getHandle(`delivery/${showId('delivery', finished)}`);
    await expect(forgotten.describe()).rejects.toThrow(WorkflowNotFoundError);
    expect(await sweep()).toBe(0);
  });

  test('two processes that sweep at once send each delivery left for an hour once', async () => {
    receiver.respondWith(200);
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    const rows = Array.from({ length: 300 }, () => aPendingRow(world.db, { accountId: world.accountId, webhookId }));
    const ids = (await Promise.all(rows)).map(({ id }) => showId('delivery', id));
    const mailId = await aMail();
    await anHourPasses();
    expect(receiver.requests).toHaveLength(0);

    const unfinished = async () => (await world.db`select 1 from deliveries where sweep_at is not null`).count;
    const sweepUntilDone = async () => {
      while ((await unfinished()) > 0) await sweep();
    };
    await Promise.all([sweepUntilDone(), sweepUntilDone()]);
    await vi.waitUntil(async () => (await mailStatus(mailId)) === 'sent', { timeout: 60_000 });

    const sent = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(sent).toHaveLength(ids.length);
    expect(new Set(sent)).toEqual(new Set(ids));
    expect(mailTries).toBe(1);
  });
});
