import { readdirSync, readFileSync } from 'node:fs';

/** The root process of each part of the system by the part's name; what a root has spawned belongs to it, unless it is a root itself. */
export type Parts = Readonly<Record<string, number>>;

/** /proc counts CPU time in ticks, of which every Linux has 100 in a second (USER_HZ). */
const msPerTick = 10;

type ProcessTime = { pid: number; parent: number; cpuMs: number };

/** CPU time that each part has used so far, in ms, with that of children of its processes that have ended. */
export const readCpuMs = (parts: Parts): Record<string, number> =>
  mapParts(parts, (processes) => processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0));

export type Memory = { rssMb: number; pssMb: number };

/** Memory of each part now: RSS counts what processes share once for each of them, PSS divides it among them. */
export const readMemory = (parts: Parts): Record<string, Memory> =>
  mapParts(parts, (processes) => {
    const rollups = processes.map(({ pid }) => readOrEmpty(`/proc/${pid}/smaps_rollup`));
    const sumMb = (field: RegExp): number =>
      rollups.reduce((sum, text) => sum + Number(field.exec(text)?.[1] ?? 0), 0) / 1024;
    return { rssMb: sumMb(/^Rss: +(\d+) kB/m), pssMb: sumMb(/^Pss: +(\d+) kB/m) };
  });

const mapParts = <Result>(parts: Parts, read: (processes: ProcessTime[]) => Result): Record<string, Result> => {
  const all = readProcesses();
  const roots = new Set(Object.values(parts));
  const treeOf = (root: ProcessTime): ProcessTime[] => [
    root,
    ...all.filter(({ pid, parent }) => parent === root.pid && !roots.has(pid)).flatMap(treeOf),
  ];
  return Object.fromEntries(
    Object.entries(parts).map(([name, root]) => [name, read(all.filter(({ pid }) => pid === root).flatMap(treeOf))]),
  );
};

const readProcesses = (): ProcessTime[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readOrEmpty(`/proc/${name}/stat`);
      // The second field is the command in brackets and may hold spaces and brackets itself: count from the last one.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const parent = fields[1];
      if (parent === undefined) return [];
      // utime, stime, and the same of children that were waited for: a PostgreSQL backend's time outlives it there.
      const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
      return [{ pid: Number(name), parent, cpuMs: ticks * msPerTick }];
    });

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Ended between listing and reading.
    return '';
  }
};
