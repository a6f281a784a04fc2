import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../src/shared/platform/db/connect.ts';
import { readCpuMs, readMemory, type Memory, type Parts } from '../processes.ts';
import { api, partsOf, whole, worker, type Ground, type Process } from '../servers.ts';
import type { Target, TargetOptions } from '../target.ts';
import { watchLocks, type LockWatch } from './lock-waits.ts';

/** An installation: one process with all roles, or two API and two worker processes, on one PostgreSQL and one Temporal. */
export type Cluster = {
  ground: Ground;
  processes: Readonly<Record<string, Process>>;
  parts: Parts;
  /** The parts whose CPU time counts. */
  counted: readonly string[];
  sql: Database;
  locks: LockWatch;
  /** A new account that is reached through every API in turn. */
  addAccount: (options?: Pick<TargetOptions, 'paths' | 'senderOf'>) => Promise<Entrance>;
  /** SIGKILL; it is not started again. */
  kill: (name: string) => void;
};

/** An account through a load balancer: what one API does not answer goes to the next one. */
export type Entrance = Pick<Target, 'hand' | 'call'>;

const files = {
  one: { process: whole },
  several: { 'api 1': api, 'api 2': api, 'worker 1': worker, 'worker 2': worker },
} as const;

// Workflows of what is finished take what is free, which differs from round to round; `volume` measures them.
const usualEnv = { WORKFLOW_PER_DELIVERY: 'on-failure' };

export const startCluster = async (
  ground: Ground,
  size: keyof typeof files,
  env: Record<string, string> = usualEnv,
): Promise<Cluster> => {
  const { database } = ground.postgres;
  const sql = connectDatabase(`${database}?application_name=bench`, { max: 2 });
  ground.defer(() => sql.end());
  const processes: Record<string, Process> = {};
  for (const [name, file] of Object.entries(files[size])) {
    processes[name] = await ground.startProcess(name.replace(' ', '-'), {
      file,
      database,
      env,
    });
  }
  const serving = Object.entries(processes).flatMap(([name, process]) => (name.startsWith('worker') ? [] : [process]));
  const locks = await watchLocks(ground, sql);
  return {
    ground,
    processes,
    parts: partsOf(ground, processes),
    counted: ['temporal', 'postgres', ...Object.keys(processes)],
    sql,
    locks,
    addAccount: async (options = {}) => {
      const [first, ...others] = serving;
      if (first === undefined) throw new Error('no process serves the API');
      const target = await ground.addTarget(first, options);
      const through = others.map((process) => target.through(process));
      for (const other of through) ground.defer(() => other.close());
      return balance([target, ...through]);
    },
    kill: (name) => {
      const { pid } = processes[name] ?? {};
      if (pid === undefined) throw new Error(`there is no ${name}`);
      process.kill(pid, 'SIGKILL');
    },
  };
};

/** How long a caller tries again what was not answered, in ms. */
const patienceMs = 30_000;

const balance = (targets: readonly Target[]): Entrance => {
  let calls = 0;
  const persist = async <Answer>(make: (target: Target) => Promise<Answer>): Promise<Answer> => {
    const untilMs = performance.now() + patienceMs;
    for (;;) {
      const target = targets[(calls += 1) % targets.length];
      if (target === undefined) throw new Error('no target');
      try {
        return await make(target);
      } catch (error) {
        if (targets.length === 1 || performance.now() > untilMs) throw error;
        await sleep(20);
      }
    }
  };
  return {
    hand: (marker) => persist(({ hand }) => hand(marker)),
    call: (request) => persist(({ call }) => call(request)),
  };
};

/** Resolves when no delivery, run or message is in progress. */
export const untilDone = async ({ sql }: Pick<Cluster, 'sql'>, withinMs = 120_000): Promise<void> => {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const left = await sql`
      select 1 from deliveries where sweep_at is not null and status <> 'delivered'
      union all select 1 from runs where ended_at is null
      union all select 1 from sendings limit 1`;
    if (left.length === 0) return;
    if (performance.now() > untilMs) throw new Error(`work is left after ${withinMs / 1000} s`);
    await sleep(100);
  }
};

/** CPU time that an installation takes with nothing to do, in ms a second, and its memory. */
export const measureIdle = async (
  { parts, counted }: Cluster,
  seconds: number,
): Promise<{ cpuMsPerSecond: number; memory: Record<string, Memory> }> => {
  const sum = (): number => {
    const all = readCpuMs(parts);
    return counted.reduce((total, part) => total + (all[part] ?? 0), 0);
  };
  const before = sum();
  await sleep(seconds * 1000);
  return { cpuMsPerSecond: (sum() - before) / seconds, memory: readMemory(parts) };
};
