import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { showId } from '../../../src/shared/ids.ts';
import type { ReplayableStatus } from '../../../src/shared/replays/filter.ts';
import { createReplay } from '../../../src/shared/replays/manage.ts';
import { taskQueues } from '../../../src/shared/platform/temporal/task-queues.ts';
import { aDelivery as insertDelivery } from '../../helpers/deliveries.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { runWorkers, type RunningWorkers, type TemporalServer } from '../../helpers/temporal.ts';
import { aChannel, aTalk, send, sendingsOf, type Talk } from '../../helpers/messages.ts';
import { makeOverdue } from '../../helpers/states/deliveries.ts';
import { makeSendingOverdue } from '../../helpers/states/sendings.ts';
import { retireWebhooks } from '../../helpers/states/webhooks.ts';
import { saveHistory } from './save.ts';
import { servers } from './servers.ts';

// Not a test: `npm run histories` saves how this version's workflows run, before a release. replay.test.ts then holds every
// later version to it.

describe.each(servers)('$name', ({ isLive: eager, start }) => {
  let temporal: TemporalServer & { stop: () => Promise<void> };
  let world: DeliveryWorld;
  let receiver: Receiver;
  let workers: RunningWorkers;

  beforeAll(async () => {
    [temporal, world, receiver] = await Promise.all([start(), startDeliveryWorld({ eager }), startReceiver()]);
    world.useClient(temporal.client);
    workers = await runWorkers(temporal, world.activities);
  });

  beforeEach(async () => {
    await retireWebhooks(world.db);
  });

  afterAll(async () => {
    await workers.stop();
    await Promise.all([world.stop(), receiver.close(), temporal.stop()]);
  });

  const save = (workflowId: string, name: string): Promise<void> => saveHistory(temporal.client, workflowId, name);

  const aDelivery = async (variant: 'api' | 'dashboard', statuses: number[]) => {
    receiver.respondWith(statuses);
    await world.aWebhook({ url: receiver.url('/hook'), variant });
    const [id = ''] = await world.anEvent();
    await world.dispatcher.drain();
    await world.firstAttempt(id);
    return { id, workflowId: `delivery/${showId('delivery', id)}` };
  };

  const webhookOf = async (deliveryId: string): Promise<string> => {
    const [row] = await world.db<{ webhookId: string }[]>`select webhook_id from deliveries where id = ${deliveryId}`;
    return row?.webhookId ?? '';
  };

  const replay = async (asked: { webhookId: string; statuses: [ReplayableStatus]; pace: number }): Promise<string> => {
    const scope = { accountId: world.accountId, variants: ['api'] } as const;
    const row = await world.transact((tx) => createReplay(tx, scope, { since: null, until: null, ...asked }));
    await world.dispatcher.drain();
    return `replay/${showId('replay', row.id)}`;
  };

  /** Queues messages while nothing is started, then has the sweep start their workflow. Answers its id. */
  const sendMessages = async (texts: string[], before = async (_talk: Talk): Promise<void> => {}): Promise<string> => {
    world.useClient(undefined);
    const talk = await aTalk(world, await aChannel(world, receiver.url('/to-visitors')));
    for (const text of texts) await send(world, talk, text);
    await world.dispatcher.drain();
    await before(talk);
    world.useClient(temporal.client);
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    return sendingsOf(world).at(-1) ?? '';
  };

  if (eager) {
    test('messages that are taken at once', async () => {
      receiver.respondWith(200);
      await save(await sendMessages(['one', 'two']), 'send-messages.sent');
    });

    test('delivered at once', async () => {
      const { workflowId } = await aDelivery('api', [200]);
      await save(workflowId, 'deliver-event.delivered');
    });

    test('a bulk replay, finished, and one that is paused by a signal', async () => {
      const webhookId = await webhookOf((await aDelivery('api', [200])).id);
      await save(await replay({ webhookId, statuses: ['delivered'], pace: 20 }), 'replay-deliveries.finished');
      for (let count = 0; count < 3; count += 1)
        await insertDelivery(world.db, { accountId: world.accountId, webhookId, status: 'failed' });
      const paused = await replay({ webhookId, statuses: ['failed'], pace: 1 });
      await temporal.client.workflow.getHandle(paused).signal('pause');
      await save(paused, 'replay-deliveries.paused');
    });

    test('a bulk replay of more than one stretch', async () => {
      const webhookId = await webhookOf((await aDelivery('api', [200])).id);
      for (let count = 0; count < 8; count += 1)
        await insertDelivery(world.db, { accountId: world.accountId, webhookId, status: 'dropped' });
      await save(await replay({ webhookId, statuses: ['dropped'], pace: 1 }), 'replay-deliveries.long');
    }, 30_000);

    test('retention', async () => {
      const options = { taskQueue: taskQueues.maintenance, workflowId: 'retention', args: [] };
      await temporal.client.workflow.start('applyRetention', options);
      await save(options.workflowId, 'apply-retention.applied');
    });

    test('retried by hand, then cancelled', async () => {
      const { id, workflowId } = await aDelivery('dashboard', [500]);
      const handle = temporal.client.workflow.getHandle(workflowId);
      await handle.signal('retryNow');
      await world.attemptsOf(id, 2);
      await handle.signal('cancel');
      await save(workflowId, 'deliver-event.retried-by-hand-then-cancelled');
    });
  } else {
    test('exhausted, variant A, with its mail', async () => {
      const { workflowId } = await aDelivery('api', [500]);
      await save(workflowId, 'deliver-event.exhausted-api');
      await world.dispatcher.drain();
      const [mail] = await world.db<{ id: string }[]>`select id from mails`;
      await save(`mail/${showId('mail', mail?.id ?? '')}`, 'send-mail.sent');
    });

    test('messages of which one is tried again, one is refused for good, and one is unknown', async () => {
      const refused = Array<number>(6).fill(500);
      receiver.respondWith([503, 200, ...refused, { type: 'close' }, ...refused.slice(1), 200]);
      await save(await sendMessages(['one', 'two', 'three', 'four']), 'send-messages.retried-failed-unknown');
    });

    test('messages that another workflow has begun', async () => {
      receiver.respondWith([500, 200]);
      const workflowId = await sendMessages(['one', 'two'], async () => {
        const sendingId = (sendingsOf(world).at(-1) ?? '').replace('sending/', '');
        await world.activities.sendNextMessage({ sendingId, resumes: 0 });
      });
      await save(workflowId, 'send-messages.resumed');
    });

    test('exhausted, variant B', async () => {
      const { workflowId } = await aDelivery('dashboard', [500]);
      await save(workflowId, 'deliver-event.exhausted-dashboard');
    });

    test('resumed after its workflow was lost', async () => {
      world.useClient(undefined);
      receiver.respondWith([500, 200]);
      await world.aWebhook({ url: receiver.url('/hook') });
      const [id = ''] = await world.anEvent();
      await world.dispatcher.drain();
      const deliveryId = showId('delivery', id);
      await world.attempt({ deliveryId, round: 1, kind: 'scheduled', number: 1 });
      world.useClient(temporal.client);
      await makeOverdue(world.db, id);
      await world.sweep();
      await save(`delivery/${deliveryId}`, 'deliver-event.resumed');
    });
  }
});
