import { expect, onTestFinished, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { useLadderWorld } from '../helpers/ladder-world.ts';

const { env, world, receiver } = await useLadderWorld({ workflowPerDelivery: 'on-failure' });

const handleOf = (id: string) => env.client.workflow.getHandle(`delivery/${showId('delivery', id)}`);
const pathOf = () => `/${crypto.randomUUID()}`;
const received = (path: string) => receiver.requests.filter((request) => request.path === path);

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
