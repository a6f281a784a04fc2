import { readdirSync, readFileSync } from 'node:fs';

/** The root process of each part, by the part's name. Descendants belong to their root, unless they are roots themselves. */
export type Parts = Readonly<Record<string, number>>;

/** The duration of a tick, in ms. /proc counts CPU time in ticks of 1/100 s (USER_HZ) on every Linux. */
const msPerTick = 10;

type ProcessTime = { pid: number; parent: number; cpuMs: number };

/** The CPU time that each part has used so far, in ms, with that of children that have ended. */
export const readCpuMs = (parts: Parts): Record<string, number> =>
  mapParts(parts, (processes) => processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0));

export type Memory = { rssMb: number; pssMb: number };

/** The present memory of each part. RSS counts shared memory once for each process; PSS divides it among them. */
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
      // The second field is the command in brackets and may itself hold spaces and brackets, so fields are counted from the last bracket.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const parent = fields[1];
      if (parent === undefined) return [];
      // utime, stime, and the same of children that have ended, such as PostgreSQL's backends.
      const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
      return [{ pid: Number(name), parent, cpuMs: ticks * msPerTick }];
    });

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended between listing and reading.
    return '';
  }
};
