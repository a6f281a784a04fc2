import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { endRound } from '../../../../src/shared/deliveries/rounds.ts';
import { deliveryWork, type DeliveryWorkRow } from '../../../../src/shared/deliveries/work.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { asItem } from '../../../../src/shared/platform/dispatch/work.ts';
import { aDelivery, aPendingRow } from '../../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { startReceiver, verifySignature } from '../../../helpers/receiver.ts';
import { clientOfSilence } from '../../../helpers/silent-temporal.ts';
import { skipToRound } from '../../../helpers/states/deliveries.ts';
import { disableWebhook, retireWebhooks } from '../../../helpers/states/webhooks.ts';

const [world, receiver] = await Promise.all([
  startDeliveryWorld({ workflowPerDelivery: 'on-failure', sends: true }),
  startReceiver(),
]);
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

/** Asked of Temporal, which carries none of it out. `isBegun`: it has workflows of these ids already. */
const asked: { workflowId: string; input: unknown }[] = [];
const listen = async ({ isBegun = false } = {}): Promise<void> => {
  world.useClient(
    await clientOfSilence({
      interceptors: {
        workflow: [
          {
            startWithDetails: async ({ options }) => {
              asked.push({ workflowId: options.workflowId, input: options.args[0] });
              if (isBegun) throw new WorkflowExecutionAlreadyStartedError('begun', options.workflowId, 'deliverEvent');
              return { runId: newUuid(), eagerlyStarted: false };
            },
          },
        ],
      },
    }),
  );
  onTestFinished(() => world.useClient(undefined));
};

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 10_000, interval: 10 });

beforeEach(async () => {
  asked.length = 0;
  receiver.respondWith([200]);
  await retireWebhooks(world.db);
});

const received = (path: string) => receiver.requests.filter((request) => request.path === path);
const aRow = (webhookId: string) => aPendingRow(world.db, { accountId: world.accountId, webhookId });

const aTestRow = async (webhookId: string): Promise<DeliveryWorkRow> => {
  const row = await aRow(webhookId);
  const id = await aDelivery(world.db, { accountId: row.accountId, webhookId, status: 'pending', isTest: true });
  return { ...row, id, isTest: true };
};

const withoutWorkflow = async (id: string): Promise<boolean> => {
  const [row] = await world.db<
    [{ withoutWorkflow: boolean }]
  >`select without_workflow from deliveries where id = ${id}`;
  return row.withoutWorkflow;
};

describe('a first attempt', () => {
  test('is signed and recorded, and with on-failure starts no workflow', async () => {
    await listen();
    await world.aWebhook({ url: receiver.url('/well'), secret: 'a secret of ours' });
    const [id = ''] = await world.anEvent();
    await world.firstAttempt(id);

    const [request] = received('/well');
    const signature = request?.headers['x-service-signature'];
    expect(verifySignature(request?.rawBody ?? Buffer.alloc(0), 'a secret of ours', signature)).toBe(true);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptsMade: 1, sweepAt: null });
    expect(await world.attempts(id)).toMatchObject([
      { round: 1, kind: 'scheduled', number: 1, outcome: 'succeeded', statusCode: 200, address: '127.0.0.1' },
    ]);
    expect(await withoutWorkflow(id)).toBe(true);
    expect(asked).toEqual([]);
  });

  test('that fails starts a workflow with its outcome, for attempt 2', async () => {
    await listen();
    receiver.respondWith([500]);
    await world.aWebhook({ url: receiver.url('/ill') });
    const [id = ''] = await world.anEvent();
    await until(() => asked.length > 0);

    expect(asked).toMatchObject([
      {
        workflowId: `delivery/${showId('delivery', id)}`,
        input: { resumed: true, round: 1, first: { outcome: 'failed', reason: 'status', statusCode: 500 } },
      },
    ]);
    const dueInMs = Number(Object(asked[0]?.input).first.dueInMs);
    expect(dueInMs).toBeGreaterThan(29_000);
    expect(dueInMs).toBeLessThanOrEqual(30_000);
    const { nextAttemptAt, sweepAt, ...delivery } = await world.delivery(id);
    expect(delivery).toMatchObject({ status: 'retrying', attemptsMade: 1 });
    expect((sweepAt?.getTime() ?? 0) - (nextAttemptAt?.getTime() ?? 0)).toBe(30_000);
    expect(await withoutWorkflow(id)).toBe(false);
  });

  test('to a webhook disabled since the commit parks its delivery, unsent', async () => {
    const webhookId = await world.aWebhook({ url: receiver.url('/disabled') });
    const row = await aRow(webhookId);
    await disableWebhook(world.db, webhookId);
    world.dispatcher.dispatch([asItem(deliveryWork, row)]);
    await until(async () => (await world.delivery(row.id)).status === 'parked');
    expect(received('/disabled')).toHaveLength(0);
    expect(await withoutWorkflow(row.id)).toBe(true);
  });

  test('of a test event is the only one, and starts no workflow', async () => {
    await listen();
    receiver.respondWith([500]);
    const webhookId = await world.aWebhook({ url: receiver.url('/test') });
    const row = await aTestRow(webhookId);
    world.dispatcher.dispatch([asItem(deliveryWork, row)]);
    await world.firstAttempt(row.id);
    await world.outbox.drain();
    expect(await world.delivery(row.id)).toMatchObject({ status: 'failed', sweepAt: null, nextAttemptAt: null });
    expect(await withoutWorkflow(row.id)).toBe(true);
    expect(asked).toEqual([]);
  });

  test('that succeeds counts its delivery once, as delivered by the outbox', async () => {
    const counted = async () => {
      const { values } = (await world.metrics.registry.getSingleMetric('parley_deliveries_total')?.get()) ?? {
        values: [],
      };
      return values
        .filter(({ labels }) => labels.status === 'delivered')
        .map(({ labels, value }) => [labels.way, value]);
    };
    const [[, before = 0] = []] = await counted();
    await world.aWebhook({ url: receiver.url('/counted') });
    const [id = ''] = await world.anEvent();
    await world.firstAttempt(id);
    await world.outbox.drain();
    expect(await counted()).toEqual([['outbox', Number(before) + 1]]);
  });

  test('is finished and recorded by a stopping process, which sends no other', async () => {
    const other = await startDeliveryWorld({ workflowPerDelivery: 'on-failure', sends: true });
    const answer = Promise.withResolvers<200>();
    receiver.respondWith(() => answer.promise);
    const webhookId = await other.aWebhook({ url: receiver.url('/stopping') });
    const [id = ''] = await other.anEvent();
    await until(() => received('/stopping').length === 1);
    const left = await aPendingRow(other.db, { accountId: other.accountId, webhookId });
    other.outbox.close();
    await other.outbox.send(left);
    answer.resolve(200);
    await other.outbox.drain();
    expect(await other.delivery(id)).toMatchObject({ status: 'delivered' });
    expect(await other.delivery(left.id)).toMatchObject({ status: 'pending', attemptsMade: 0 });
    expect(received('/stopping')).toHaveLength(1);
    await other.stop();
  });

  test('is not made for a cancelled delivery, an earlier round, or a workflow that has begun', async () => {
    await listen();
    const webhookId = await world.aWebhook({ url: receiver.url('/cancelled') });
    const cancelled = await aRow(webhookId);
    await endRound(world.db, { deliveryId: cancelled.id, round: 1 }, 'cancelled');
    const replayed = await aRow(webhookId);
    await skipToRound(world.db, replayed.id, 2);
    world.dispatcher.dispatch([
      asItem(deliveryWork, cancelled),
      asItem(deliveryWork, replayed),
      asItem(deliveryWork, { ...(await aRow(webhookId)), resumes: 1 }),
      asItem(deliveryWork, { ...(await aRow(webhookId)), ofOutbox: false }),
    ]);
    await world.drain();
    expect(received('/cancelled')).toHaveLength(0);
    expect(asked.map(({ workflowId }) => workflowId.split('/').slice(2).join('/'))).toEqual(['resume/1', '']);
  });
});

describe('outcomes of one batch', () => {
  beforeAll(async () => {
    await world.db.unsafe(`
      create table refused (path text);
      create function refuse() returns trigger language plpgsql as $$ begin
        if exists (select from refused where path = new.response_headers->>'x-path') then raise exception 'refused'; end if;
        return new;
      end $$;
      create trigger refuse before insert on attempts for each row execute function refuse()`);
  });

  const accept = async (): Promise<void> => {
    await world.db`delete from refused`;
  };

  /** Refuses to record what came from this path. */
  const refuse = async (path: string): Promise<void> => {
    await world.db`insert into refused values (${path})`;
    onTestFinished(accept);
  };

  /** Answers all of them at the same moment, each with its path. */
  const answerTogether = (count: number): void => {
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    receiver.respondWith(async ({ path }) => {
      if ((waiting += 1) === count) all.resolve();
      await all.promise;
      return { type: 'respond', status: 200, headers: { 'x-path': path } };
    });
  };

  test('are recorded even if one fails, which its workflow records without sending', async () => {
    await listen();
    await refuse('/9');
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    answerTogether(paths.length);
    for (const path of paths) await world.aWebhook({ url: receiver.url(path) });
    const ids = await world.anEvent();
    await until(() => asked.length > 0);
    await world.outbox.drain();

    expect(paths.map((path) => received(path).length)).toEqual(paths.map(() => 1));
    const statuses = await Promise.all(ids.map(async (id) => (await world.delivery(id)).status));
    expect(statuses).toEqual(paths.map((path) => (path === '/9' ? 'pending' : 'delivered')));
    expect(asked).toMatchObject([
      { input: { resumed: true, unrecorded: { outcome: 'succeeded', statusCode: 200, generation: 1 } } },
    ]);
    expect(JSON.stringify(asked)).not.toContain('x-path');
  });

  test('are kept while the database and Temporal are away, and recorded once', async () => {
    await refuse('/kept');
    answerTogether(1);
    await world.aWebhook({ url: receiver.url('/kept') });
    const [id = ''] = await world.anEvent();
    await until(() => received('/kept').length > 0);
    expect(await world.attempts(id)).toEqual([]);
    await accept();
    await world.firstAttempt(id);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptsMade: 1 });
    expect(received('/kept')).toHaveLength(1);
  });

  test('are kept beside a workflow that does not know them, and recorded once', async () => {
    await listen({ isBegun: true });
    await refuse('/begun');
    answerTogether(1);
    await world.aWebhook({ url: receiver.url('/begun') });
    const [id = ''] = await world.anEvent();
    await until(() => asked.length > 0);
    await accept();
    await world.firstAttempt(id);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptsMade: 1 });
    expect(received('/begun')).toHaveLength(1);
  });
});
