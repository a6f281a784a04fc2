import { expect, onTestFinished, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { useLadderWorld } from '../helpers/ladder-world.ts';
import { timersOf } from '../helpers/temporal.ts';

const { env, world, receiver } = await useLadderWorld({ workflowPerDelivery: 'on-failure' });

const handleOf = (id: string) => env.client.workflow.getHandle(`delivery/${showId('delivery', id)}`);
const pathOf = () => `/${crypto.randomUUID()}`;
const received = (path: string) => receiver.requests.filter((request) => request.path === path);

/** The workflow that has been started for a delivery. */
const workflowOf = async (id: string) => {
  await world.firstAttempt(id);
  await world.outbox.drain();
  await world.dispatcher.drain();
  return handleOf(id);
};

test('what failed straight from the outbox walks the rest of its ladder at its exact times', async () => {
  const path = pathOf();
  receiver.respondWith([500, 500, 200]);
  await world.aWebhook({ url: receiver.url(path) });
  const [id = ''] = await world.anEvent();
  expect(await (await workflowOf(id)).result()).toMatchObject({ status: 'delivered' });

  const [first = 0, ...others] = await timersOf(env.client, handleOf(id).workflowId);
  expect(first).toBeGreaterThan(25_000);
  expect(first).toBeLessThanOrEqual(30_000);
  expect(others).toEqual([60_000]);
  expect(received(path)).toHaveLength(3);
  expect((await world.attempts(id)).map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, 'failed'],
    [2, 'failed'],
    [3, 'succeeded'],
  ]);
});

test('six failures disable a webhook of variant A and drop an event of variant B, whichever way the first one went', async () => {
  for (const [variant, end] of [
    ['api', 'failed'],
    ['dashboard', 'dropped'],
  ] as const) {
    const path = pathOf();
    receiver.respondWith([500]);
    const webhookId = await world.aWebhook({ url: receiver.url(path), variant });
    const ids = await world.anEvent();
    const id = ids.at(-1) ?? '';
    expect(await (await workflowOf(id)).result()).toMatchObject({ status: end });
    expect(received(path)).toHaveLength(6);
    const [webhook] = await world.db<[{ status: string }]>`select status from webhooks where id = ${webhookId}`;
    expect(webhook.status).toBe(variant === 'api' ? 'disabled' : 'active');
  }
});

test.each([
  { answer: 200, end: 'delivered', posts: 1 },
  { answer: 500, end: 'delivered', posts: 2 },
])(
  'an outcome $answer that only its workflow could record is not sent again for it',
  async ({ answer, end, posts }) => {
    const path = pathOf();
    receiver.respondWith(async () => {
      await world.db`alter table attempts rename to attempts_away`;
      receiver.respondWith([200]);
      return answer;
    });
    onTestFinished(async () => {
      await world.db`alter table if exists attempts_away rename to attempts`;
    });
    await world.aWebhook({ url: receiver.url(path) });
    const [id = ''] = await world.anEvent();
    const handle = handleOf(id);
    await expect
      .poll(
        () =>
          handle.describe().then(
            ({ status }) => status.name,
            () => 'none',
          ),
        { timeout: 10_000 },
      )
      .toBe('RUNNING');
    await world.db`alter table attempts_away rename to attempts`;
    expect(await handle.result()).toMatchObject({ status: end });
    expect(received(path)).toHaveLength(posts);
    expect(await world.attempts(id)).toHaveLength(posts);
  },
);

test('the workflow that takes over puts off the sweep, which looks at what failed straight within seconds', async () => {
  receiver.respondWith([500]);
  await world.aWebhook({ url: receiver.url(pathOf()) });
  const [id = ''] = await world.anEvent();
  await workflowOf(id);
  const graceMs = async (): Promise<number> => {
    const { nextAttemptAt, sweepAt } = await world.delivery(id);
    return (sweepAt?.getTime() ?? 0) - (nextAttemptAt?.getTime() ?? 0);
  };
  await expect.poll(graceMs, { timeout: 10_000 }).toBe(30_000);
});
