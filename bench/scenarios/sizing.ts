import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster, untilDone, type Cluster } from '../scale/cluster.ts';
import { createTalkers } from '../scale/phases.ts';
import { runClosedLoop, type Run } from '../load.ts';
import { measure, type CpuMs, type Measured } from '../measure.ts';
import { untilIdle } from '../idle.ts';
import { aim, ms, table } from '../text.ts';
import { isLossless, onNewGround } from './scenario.ts';

/** Bytes on disk, and what was written to PostgreSQL's log so far. */
type Disk = { tables: Record<string, number>; walBytes: number; temporalBytes: number; workflows: number };

type Sized = {
  name: string;
  count: number;
  bytes: Record<string, number>;
  walBytes: number;
  temporalBytes: number;
  workflows: number;
  cpuMs: CpuMs;
};

/** Measures what events with their deliveries, and conversations with a request, take on disk. */
export const sizing = onNewGround(async (ground, { outstanding, sized }, say) => {
  const cluster = await startCluster(ground, 'one', { WORKFLOW_PER_DELIVERY: 'every' });
  const account = await cluster.addAccount();
  const strangers = await cluster.addAccount({ senderOf: (handed) => `stranger-${handed}` });
  const talkers = await createTalkers(cluster);
  const metricsUrls = Object.values(cluster.processes).map(({ metricsUrl }) => metricsUrl);
  const runs: Measured[] = [];
  const hand = async (target: Pick<typeof account, 'hand'>, count: number, atOnce: number): Promise<void> => {
    let handed = 0;
    while (handed < count) {
      const load = { outstanding: Math.min(atOnce, count - handed), seconds: 5 };
      const run = (): Promise<Run> => runClosedLoop({ target, receiver: ground.receiver }, load);
      const { ids: _, ...figures } = await measure(cluster.parts, run);
      if (figures.deliveries === 0) throw new Error('nothing came in five seconds');
      handed += figures.deliveries;
      runs.push(figures);
    }
    await untilDone(cluster);
    await untilIdle(metricsUrls);
  };
  // Tables, partitions and histories have their first pages.
  await hand(account, 500, 50);
  await hand(talkers, 100, 20);

  const all: Sized[] = [];
  for (const [name, target, count, atOnce] of [
    ['event with a delivery', account, sized, outstanding],
    ['first message of a contact, with a delivery', strangers, Math.round(sized / 4), outstanding],
    ['conversation with a request', talkers, Math.round(sized / 10), 40],
  ] as const) {
    say(`sizing: ${count} × ${name} …`);
    const before = await readDisk(cluster);
    const from = runs.length;
    await hand(target, count, atOnce);
    const done = runs.slice(from).reduce((sum, { deliveries }) => sum + deliveries, 0);
    const cpuMs = averageOf(runs.slice(from));
    all.push({ name, count: done, ...difference(before, await readDisk(cluster)), cpuMs });
  }
  return {
    title: 'What a million take on disk',
    lines: all.flatMap(({ name, count, bytes, walBytes, temporalBytes, workflows, cpuMs }) => [
      ...table(
        [`${name} (${count})`, 'bytes each'],
        [
          ...Object.entries(bytes)
            .filter(([, grown]) => grown > 0)
            .toSorted(([, a], [, b]) => b - a)
            .map(([of, grown]) => [of, (grown / count).toFixed(0)]),
          ['in all', (total(bytes) / count).toFixed(0)],
          ['WAL', (walBytes / count).toFixed(0)],
          [`Temporal, of each of ${workflows} workflows`, workflows > 0 ? (temporalBytes / workflows).toFixed(0) : ''],
        ],
      ),
      `  a million: ${gigabytes((total(bytes) / count) * 1e6)} GB of tables, ${gigabytes((walBytes / count) * 1e6)} GB of WAL`,
      `  CPU ms each: ${['process', 'postgres', 'temporal'].map((part) => `${part} ${ms(cpuMs[part])}`).join(', ')}`,
      '',
    ]),
    aims: [aim(isLossless(...runs), 'nothing lost, nothing doubled')],
    lossless: isLossless(...runs),
    figures: { all },
  };
});

/** The CPU time of one by part, in ms, over all of these. */
const averageOf = (measured: readonly Measured[]): CpuMs => {
  const count = measured.reduce((sum, { deliveries }) => sum + deliveries, 0);
  const parts = Object.keys(measured[0]?.cpuMs ?? {});
  const spent = (part: string): number =>
    measured.reduce((sum, { cpuMs, deliveries }) => sum + (cpuMs[part] ?? 0) * deliveries, 0);
  return Object.fromEntries(parts.map((part) => [part, spent(part) / count]));
};

const total = (bytes: Record<string, number>): number => Object.values(bytes).reduce((sum, one) => sum + one, 0);

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);

const difference = (before: Disk, after: Disk): Omit<Sized, 'name' | 'count' | 'cpuMs'> => ({
  bytes: Object.fromEntries(
    Object.entries(after.tables).map(([name, bytes]) => [name, bytes - (before.tables[name] ?? 0)]),
  ),
  walBytes: after.walBytes - before.walBytes,
  temporalBytes: after.temporalBytes - before.temporalBytes,
  workflows: after.workflows - before.workflows,
});

const readDisk = async ({ sql, ground }: Cluster): Promise<Disk> => {
  // Partitions count for their table.
  const tables = await sql<{ name: string; bytes: string }[]>`
    select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid)) as bytes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;
  const [row] = await sql<[{ wal: string; workflows: number }]>`
    select pg_current_wal_lsn() - '0/0' as wal,
      (select count(*)::int from deliveries where not without_workflow) + (select count(*)::int from runs where not without_workflow) as workflows`;
  const folder = join(ground.dataDir, 'temporal');
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return {
    tables: Object.fromEntries(tables.map(({ name, bytes }) => [name, Number(bytes)])),
    walBytes: Number(row.wal),
    temporalBytes: sizes.reduce((sum, size) => sum + size, 0),
    workflows: row.workflows,
  };
};
