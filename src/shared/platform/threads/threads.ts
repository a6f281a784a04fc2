import { Piscina } from 'piscina';
import { createShares, NoSlot } from '../bulkhead/shares.ts';
import { OverTime, runWithin } from './run-within.ts';
import type { Task } from './task.ts';

/** The result of a task. `over`: it took more CPU time than a task may. `busy`: the account has too many that wait, or this one has waited too long. */
type Done<Output> = { type: 'done'; output: Output } | { type: 'over' } | { type: 'busy' };

/** Threads for whatever takes long and that nobody else may wait for. */
export type Threads = {
  /** Runs a task when its account's turn has come. Throws what the task throws. */
  run: <Input, Output>(accountId: string, task: Task<Input, Output>, input: Input) => Promise<Done<Output>>;
  /** Ends the threads. What they are at throws. */
  stop: () => Promise<void>;
};

/** `cpuMs` is the CPU time of one task: a machine that stands still takes nothing from it. */
export type ThreadsOptions = { threads?: number; cpuMs?: number; maxWaiting?: number };

/** How long a thread is kept without work, in ms: it has about 60 MB. */
const idleMs = 60_000;

/**
 * Runs tasks on two threads, which start with the first task. An account has one of them at a time, so that another account finds the second
 * free or is the next. A task that takes more than `cpuMs` ends with its thread.
 */
export const createThreads = ({ threads = 2, cpuMs = 1_000, maxWaiting = 200 }: ThreadsOptions = {}): Threads => {
  const shares = createShares({ total: threads, perKey: 1, waitingInAll: maxWaiting });
  const idle = Array.from({ length: threads }, createThread);
  const all = [...idle];
  const runOnThread = async <Input, Output>(task: Task<Input, Output>, input: Input): Promise<Done<Output>> => {
    const thread = idle.pop();
    if (!thread) throw new TypeError('there are more slots than threads');
    try {
      return { type: 'done', output: await runWithin(thread, { task, input, cpuMs }) };
    } catch (error) {
      if (error instanceof OverTime) return { type: 'over' };
      throw error;
    } finally {
      idle.push(thread);
    }
  };
  return {
    run: async (accountId, task, input) => {
      const { waitsAlways, behind } = task;
      const { most: mostBehind, patienceMs } = behind ?? {};
      const options = { waitsAlways, behind: behind !== undefined, mostBehind, patienceMs };
      try {
        const lane = { accountId, key: accountId };
        return await shares.take(lane, () => runOnThread(task, input), options);
      } catch (error) {
        if (error instanceof NoSlot) return { type: 'busy' };
        throw error;
      }
    },
    stop: async () => {
      await Promise.all(all.map((thread) => thread.destroy()));
    },
  };
};

/** A pool of one thread, so that it is known whose CPU time a task takes. */
const createThread = (): Piscina =>
  new Piscina({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    // A thread that waits by atomics answers nobody who asks for its CPU time.
    atomics: 'disabled',
    recordTiming: false,
  });
