import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeEach } from 'vitest';
import { retireWebhooks } from './states/webhooks.ts';
import { startDeliveryWorld, type DeliveryWorld, type DeliveryWorldOptions } from './delivery-world.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { runWorkers, startTimeSkipping } from './temporal.ts';

/** Deliveries on a server that skips over their timers, towards a receiver of their own. */
export type LadderWorld = {
  env: TestWorkflowEnvironment;
  world: DeliveryWorld;
  receiver: Receiver;
  stop: () => Promise<void>;
};

/**
 * Starts all of it, workers included. First attempts are ordinary activities here: this server's clock jumps also while a
 * local activity holds a workflow task, which then times out. Local first attempts have their tests on the dev server.
 */
export const startLadderWorld = async (
  options: Pick<DeliveryWorldOptions, 'mailer' | 'log' | 'workflowPerDelivery'> = {},
): Promise<LadderWorld> => {
  const [env, world, receiver] = await Promise.all([
    startTimeSkipping(),
    startDeliveryWorld({ ...options, eager: false }),
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
