import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { Task } from './task.ts';

/** How often it is looked at what a task has taken, in ms. */
const pauseMs = 50;

const loader = new URL('load.ts', import.meta.url).href;

/** The modules that each thread has loaded: loading them is no task's time. */
const loadedBy = new WeakMap<Worker, Set<string>>();

/** The task took more CPU time than it may. */
export class OverTime extends Error {}

type Run<Input, Output> = { task: Task<Input, Output>; input: Input; cpuMs: number };

/** Runs a task on the one thread of a pool. Ends the thread and throws `OverTime` when the task takes more CPU time than it may. */
export const runWithin = async <Input, Output>(
  pool: Piscina,
  { task: { module: filename, name }, input, cpuMs }: Run<Input, Output>,
): Promise<Output> => {
  const thread = await load(pool, filename);
  const before = await thread.cpuUsage();
  const over = new AbortController();
  const endWhenOver = async (): Promise<void> => {
    // A thread that has ended meanwhile has no CPU time to ask for.
    const used = await thread.cpuUsage(before).catch(() => undefined);
    if (used && (used.user + used.system) / 1_000 > cpuMs) over.abort();
  };
  const watch = setInterval(() => void endWhenOver(), pauseMs);
  try {
    return await pool.run(input, { filename, name, signal: over.signal });
  } catch (error) {
    throw over.signal.aborted ? new OverTime(`${name} took more than ${cpuMs} ms`, { cause: error }) : error;
  } finally {
    clearInterval(watch);
  }
};

/** The thread of a pool, started where there is none, with a module loaded. */
const load = async (pool: Piscina, module: string): Promise<Worker> => {
  const [known] = pool.threads;
  if (known && loadedBy.get(known)?.has(module)) return known;
  await pool.run(module, { filename: loader, name: 'load' });
  const [thread] = pool.threads;
  if (!thread) return load(pool, module);
  loadedBy.set(thread, (loadedBy.get(thread) ?? new Set()).add(module));
  return thread;
};
