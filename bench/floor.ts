import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { z } from 'zod';
import { createLog } from '../src/shared/platform/log.ts';
import { connectTemporal } from '../src/shared/platform/temporal/connect.ts';
import { installRuntime } from '../src/shared/platform/temporal/runtime.ts';
import { answerQuestions, startChild } from './children.ts';
import type { floor } from './floor-workflow.ts';
import { nowMs } from './statistics.ts';

const question = z.object({
  seconds: z.number(),
  atOnce: z.number(),
  shape: z.enum(['floor', 'floorWithCall']).default('floor'),
});
const saturated = z.object({ workflows: z.number(), seconds: z.number() });

export type Floor = {
  pid: number;
  /** Runs workflows of a shape for `seconds`, `atOnce` of them at once. */
  saturate: (load: z.input<typeof question>) => Promise<z.infer<typeof saturated>>;
  stop: () => Promise<void>;
};

/** Measures what Temporal costs without Parley: eager starts, an empty local activity, no database, in a process of its own. */
export const startFloor = (temporalAddress: string): Floor => {
  const { pid, ask, stop } = startChild('floor.ts', [temporalAddress]);
  return { pid, saturate: (load) => ask(load, saturated), stop };
};

const taskQueue = 'bench-floor';

const serve = async (address: string | undefined): Promise<void> => {
  const underWay = new Map<string, () => void>();
  const starting = startWorker({ address, attempted: (id) => underWay.get(id)?.() });

  let started = 0;
  const runOne = async (client: Client, shape: string): Promise<void> => {
    const id = `floor/${process.pid}/${(started += 1)}`;
    const attempted = new Promise<void>((resolve) => underWay.set(id, resolve));
    await client.workflow.start<typeof floor>(shape, {
      taskQueue,
      workflowId: id,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      requestEagerStart: true,
      workflowTaskTimeout: '15s',
      args: [id],
    });
    await attempted;
    underWay.delete(id);
  };

  answerQuestions(async (asked) => {
    const { seconds, atOnce, shape } = question.parse(asked);
    const client = await starting;
    const before = started;
    const startMs = nowMs();
    const lane = async (): Promise<void> => {
      while (nowMs() < startMs + seconds * 1000) await runOne(client, shape);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return { workflows: started - before, seconds: (nowMs() - startMs) / 1000 };
  });
};

/** A worker with as many slots as Parley's, and the client that shares its connection. */
const startWorker = async ({
  address,
  attempted,
}: {
  address: string | undefined;
  attempted: (id: string) => void;
}): Promise<Client> => {
  installRuntime({ log: createLog('warn') });
  const quiet = { trace() {}, debug() {}, info() {}, log() {}, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('floor-workflow.ts', import.meta.url)),
    logger: quiet,
  });
  const temporal = await connectTemporal({ embedded: address });
  const worker = await Worker.create({
    ...temporal,
    taskQueue,
    workflowBundle: { code },
    activities: { attempt: async (id: string) => attempted(id), nothing: async () => {} },
    maxConcurrentWorkflowTaskExecutions: 400,
    maxConcurrentLocalActivityExecutions: 400,
    maxConcurrentWorkflowTaskPolls: 5,
    maxCachedWorkflows: 2_000,
  });
  worker.run().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
  return new Client(temporal);
};

if (import.meta.main) await serve(process.argv[2]);
