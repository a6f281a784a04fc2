import { rm } from 'node:fs/promises';
import { Client } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { inject } from 'vitest';
import { findBinaries } from '../../scripts/binaries.mjs';
import type { Activities } from '../../src/activities/index.ts';
import { findListeners } from '../../src/shared/platform/embedded/ports.ts';
import { endWithUs } from '../../src/shared/platform/embedded/server-process.ts';
import { startTemporal } from '../../src/shared/platform/embedded/temporal.ts';
import { addSearchAttributes } from '../../src/shared/platform/temporal/register-search-attributes.ts';
import { searchAttributeNames } from '../../src/shared/platform/temporal/search-attributes.ts';
import { describeWorker, type Queue } from '../../src/service/workers.ts';
import { tempFolder } from './temp-folder.ts';

Runtime.install({
  shutdownSignals: [],
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
});

/** A server whose clock jumps over timers while a result is awaited: one per test file, for the clock is the server's. */
export const startTimeSkipping = async (): Promise<TestWorkflowEnvironment> => {
  const path = findBinaries().testServer;
  if (path === undefined)
    throw new Error('the time-skipping server is missing: run node scripts/bootstrap.mjs --for test');
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  // The SDK spawns it and tells its port alone; nobody but its teardown would end it.
  findListeners(Number(env.address.split(':').at(-1))).forEach(endWithUs);
  await addSearchAttributes(env.connection, 'default', searchAttributeNames);
  return env;
};

/** The dev server, which after so many events tells a workflow that it should continue as new. */
export const startSuggesting = async (afterEvents: number): Promise<TestWorkflowEnvironment> => {
  const path = findBinaries().temporal;
  if (path === undefined) throw new Error("Temporal's CLI is missing: run node scripts/bootstrap.mjs");
  const env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      extraArgs: ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${afterEvents}`],
    },
  });
  findListeners(Number(env.address.split(':').at(-1))).forEach(endWithUs);
  await addSearchAttributes(env.connection, 'default', searchAttributeNames);
  return env;
};

/** What tests need of a Temporal server, whichever it is. */
export type TemporalServer = Pick<TestWorkflowEnvironment, 'client' | 'nativeConnection'>;

export type DevServer = TemporalServer & { address: string; uiUrl: string; binary: string; stop: () => Promise<void> };

/** The dev server in real time, as embedded: with visibility, eager starts and local first attempts. */
export const startDevServer = async (): Promise<DevServer> => {
  const binary = findBinaries().temporal;
  if (binary === undefined) throw new Error("Temporal's CLI is missing: run node scripts/bootstrap.mjs");
  const dataDir = tempFolder('temporal');
  const server = await startTemporal({ dataDir, log: () => {}, binary, durable: false });
  const nativeConnection = await NativeConnection.connect({ address: server.address });
  return {
    client: new Client({ connection: nativeConnection }),
    nativeConnection,
    address: server.address,
    uiUrl: server.uiUrl,
    binary,
    stop: async () => {
      await nativeConnection.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

export type RunningWorkers = { stop: () => Promise<void> };

type Threads = Awaited<ReturnType<(typeof Worker)['createWorkflowCreator']>>;

let thread: Promise<Threads> | undefined;

/** Workers whose workflows all run on one thread, which lasts as long as this process: a new one loads the bundle again, for 0.2 s of a processor. */
class OnLastingThread extends Worker {
  protected static override async createWorkflowCreator(
    ...needs: Parameters<(typeof Worker)['createWorkflowCreator']>
  ): Promise<Threads> {
    const lasting = await (thread ??= super.createWorkflowCreator(...needs));
    return { createWorkflow: (options) => lasting.createWorkflow(options), destroy: async () => {} };
  }
}

const queues: readonly Queue[] = ['deliveries', 'mail', 'messages', 'maintenance', 'flows'];

/** Runs the workers of all queues until `stop`, on the server's own connection. */
export const runWorkers = async (server: TemporalServer, activities: Activities): Promise<RunningWorkers> => {
  const temporal = { connection: server.nativeConnection, namespace: 'default' };
  const options = {
    activities,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    bundle: inject('workflowBundle'),
  };
  const workers = await Promise.all(
    queues.map((queue) => OnLastingThread.create(describeWorker(queue, temporal, options))),
  );
  const runs = workers.map((worker) => worker.run());
  return {
    stop: async () => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(runs);
    },
  };
};

/** What Temporal's UI shows of a workflow in words: beside it, of its events, and of its activities that failed. */
export const shownOf = async (client: Client, workflowId: string) => {
  const handle = client.workflow.getHandle(workflowId);
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  const { events } = await handle.fetchHistory();
  const summaries = (events ?? []).flatMap(({ userMetadata }): string[] => {
    const data = userMetadata?.summary?.data;
    return data ? [JSON.parse(Buffer.from(data).toString())] : [];
  });
  const failures = (events ?? []).flatMap((event) => {
    const failure = (event.activityTaskFailedEventAttributes ?? event.markerRecordedEventAttributes)?.failure;
    const { message, applicationFailureInfo: info } = failure ?? {};
    return failure ? [{ message, type: info?.type, final: info?.nonRetryable, category: info?.category }] : [];
  });
  return { details: currentDetails, summaries, failures };
};

/** The durations of the timers that a workflow has started, in ms and in order. */
export const timersOf = async (client: Client, workflowId: string): Promise<number[]> => {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds ?? 0) * 1000 + (timer.startToFireTimeout?.nanos ?? 0) / 1e6] : [],
  );
};
