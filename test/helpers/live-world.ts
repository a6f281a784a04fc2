import type { TellTopics } from '../../src/shared/facts/topics.ts';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { startPeriodic } from '../../src/shared/platform/periodic.ts';
import { createApiKey } from '../../src/shared/accounts/api-keys.ts';
import { startApi, type TestApi } from './api.ts';
import { startDeliveryWorld, type DeliveryWorld, type DeliveryWorldOptions } from './delivery-world.ts';
import { runWorkers, startDevServer, type DevServer, type RunningWorkers } from './temporal.ts';
import { untold } from './untold.ts';

/** Deliveries on Temporal's dev server, in real time. */
export type LiveWorld = {
  temporal: DevServer;
  world: DeliveryWorld;
  /** From now on nobody works, until `startWorkers`. */
  stopWorkers: () => Promise<void>;
  startWorkers: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts all of it, workers included. Who receives is the test's to bring. */
export const startLiveWorld = async (options: DeliveryWorldOptions = {}): Promise<LiveWorld> => {
  const [temporal, world] = await Promise.all([
    startDevServer(),
    startDeliveryWorld({ sends: true, passes: () => true, ...options }),
  ]);
  world.useClient(temporal.client);
  let workers: RunningWorkers | undefined;
  const stopWorkers = async (): Promise<void> => {
    await workers?.stop();
    workers = undefined;
  };
  const startWorkers = async (): Promise<void> => {
    workers = await runWorkers(temporal, world.activities);
  };
  await startWorkers();
  const stop = async (): Promise<void> => {
    await stopWorkers();
    await Promise.all([world.stop(), temporal.stop()]);
  };
  return { temporal, world, stopWorkers, startWorkers, stop };
};

/** All of it for a whole test file, stopped after it. */
export const useLiveWorld = async (options?: DeliveryWorldOptions): Promise<LiveWorld> => {
  const live = await startLiveWorld(options);
  afterAll(live.stop);
  return live;
};

/** The API beside the workers that carry out what it dispatches. */
export type LiveApi = LiveWorld & {
  api: TestApi;
  /** An API key of the world's account. */
  key: string;
  /** Whether the API finds Temporal; it does at first. */
  linkApi: (isLinked: boolean) => void;
};

/** Starts all of it, the sweep included, as in a process. */
export const startLiveApi = async (options: DeliveryWorldOptions = {}): Promise<LiveApi> => {
  let tell: TellTopics = () => {};
  const live = await startLiveWorld({ ...options, tellTopics: (...told) => tell(...told) });
  const log = pino({ level: 'silent' });
  const sweeping = startPeriodic(live.world.sweep, { name: 'sweep', everyMs: 1_000, log });
  const { temporal, world } = live;
  let client: DevServer['client'] | undefined = temporal.client;
  const api = await startApi({ world, temporal: () => client });
  tell = api.deps.tellTopics;
  const { value: key } = await createApiKey(untold(world.db), world.accountId, 'test');
  const stop = async (): Promise<void> => {
    await sweeping.stop();
    await api.stop();
    await live.stop();
  };
  const linkApi = (isLinked: boolean): void => {
    client = isLinked ? temporal.client : undefined;
  };
  return { ...live, api, key, linkApi, stop };
};
