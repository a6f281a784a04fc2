import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { Run } from './load.ts';
import { readCpuMs, type Parts } from './processes.ts';
import { quantiles, type Quantiles } from './statistics.ts';

/** CPU time of one delivery by part, in ms. */
export type CpuMs = Record<string, number>;

export type Measured = {
  deliveries: number;
  perSecond: number;
  /** From the moment that a message was due until its 202, and until the receiver has its event, in ms. */
  answerMs: Quantiles;
  receivedMs: Quantiles;
  lost: number;
  doubled: number;
  cpuMs: CpuMs;
};

/** Runs `work` and answers the CPU time that each part used meanwhile, in ms. */
export const withCpu = async <Result>(
  parts: Parts,
  work: () => Promise<Result>,
): Promise<{ result: Result; cpuMs: CpuMs }> => {
  const before = readCpuMs(parts);
  const result = await work();
  const after = readCpuMs(parts);
  return {
    result,
    cpuMs: Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, ms - (before[part] ?? 0)])),
  };
};

export const measure = async (parts: Parts, work: () => Promise<Run>): Promise<Measured & { ids: string[] }> => {
  const { result, cpuMs } = await withCpu(parts, work);
  const { startMs, handed, receptions } = result;
  const firsts = new Map<string, number>();
  for (const { marker, atMs } of receptions) if (!firsts.has(marker)) firsts.set(marker, atMs);
  const came = handed.flatMap(({ marker, dueMs }) => {
    const atMs = firsts.get(marker);
    return atMs === undefined ? [] : [{ atMs, tookMs: atMs - dueMs }];
  });
  const seconds = (Math.max(...came.map(({ atMs }) => atMs)) - startMs) / 1000;
  return {
    deliveries: came.length,
    perSecond: came.length / seconds,
    answerMs: quantiles(handed.map(({ dueMs, answeredMs }) => answeredMs - dueMs)),
    receivedMs: quantiles(came.map(({ tookMs }) => tookMs)),
    lost: handed.length - came.length,
    doubled: receptions.length - firsts.size,
    cpuMs: perOne(cpuMs, came.length),
    ids: receptions.map(({ id }) => id),
  };
};

export const perOne = (cpuMs: CpuMs, count: number): CpuMs =>
  Object.fromEntries(Object.entries(cpuMs).map(([part, ms]) => [part, ms / count]));

/** The lengths of the histories of some of these workflows, in events. What had no room for a workflow is left out. */
export const readHistoryLengths = async (
  temporalAddress: string,
  workflowIds: readonly string[],
  sample = 20,
): Promise<number[]> => {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection });
    const step = Math.max(1, Math.floor(workflowIds.length / sample));
    const some = workflowIds.filter((_, index) => index % step === 0).slice(0, sample);
    const lengths = some.map(async (id): Promise<number[]> => {
      try {
        return [(await client.workflow.getHandle(id).describe()).historyLength];
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return [];
        throw error;
      }
    });
    return (await Promise.all(lengths)).flat();
  } finally {
    await connection.close();
  }
};
