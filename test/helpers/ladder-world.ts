import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeEach } from 'vitest';
import { retryDelaysMs } from '../../src/shared/deliveries/ladder.ts';
import { showId } from '../../src/shared/ids.ts';
import { retireWebhooks } from './states/webhooks.ts';
import { startDeliveryWorld, type DeliveryWorld, type DeliveryWorldOptions } from './delivery-world.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { runWorkers, startTimeSkipping, timersOf } from './temporal.ts';

/** Deliveries on a server that skips over their timers, towards a receiver of their own. */
export type LadderWorld = {
  env: TestWorkflowEnvironment;
  world: DeliveryWorld;
  receiver: Receiver;
  stop: () => Promise<void>;
};

/** Starts all of it, workers included. */
export const startLadderWorld = async (
  options: Pick<DeliveryWorldOptions, 'mailer' | 'log' | 'workflowPerDelivery' | 'channelKinds'> = {},
): Promise<LadderWorld> => {
  const [env, world, receiver] = await Promise.all([
    startTimeSkipping(),
    startDeliveryWorld({ sends: true, ...options, eager: false }),
    startReceiver(),
  ]);
  world.useClient(env.client);
  const workers = await runWorkers(env, world.activities);
  const stop = async (): Promise<void> => {
    await workers.stop();
    await Promise.all([world.stop(), receiver.close(), env.teardown()]);
  };
  return { env, world, receiver, stop };
};

/** All of it for a whole test file, stopped after it. No test hears of the webhooks of another. */
export const useLadderWorld = async (
  options: Pick<DeliveryWorldOptions, 'workflowPerDelivery'> = {},
): Promise<Omit<LadderWorld, 'stop'>> => {
  const { stop, ...ladder } = await startLadderWorld(options);
  beforeEach(() => retireWebhooks(ladder.world.db));
  afterAll(stop);
  return ladder;
};

/**
 * What a delivery's workflow has waited for before its retries, in ms and in order. It begins after a failed first attempt and waits only for
 * what is left of the first pause, which then counts as the whole one.
 */
export const pausesOf = async ({ env, world }: Pick<LadderWorld, 'env' | 'world'>, id: string): Promise<number[]> => {
  if ((await world.delivery(id)).withoutWorkflow) return [];
  const timers = await timersOf(env.client, `delivery/${showId('delivery', id)}`);
  const [whole] = retryDelaysMs;
  return timers.map((ms, index) => (index === 0 && ms > whole - 5_000 && ms <= whole ? whole : ms));
};
