import { setTimeout as sleep } from 'node:timers/promises';
import { createAutomation } from '../flows/automation.ts';
import { runClosedLoop, runOpenLoop, type Run } from '../load.ts';
import { measure, type Measured } from '../measure.ts';
import { sumOf } from '../phases.ts';
import { nowMs, quantiles, type Quantiles } from '../statistics.ts';
import { untilDone, type Cluster, type Entrance } from './cluster.ts';
import type { LockWaits } from './lock-waits.ts';

export type Load = { perSecond: number; seconds: number };

export type Cost = Pick<Measured, 'perSecond' | 'receivedMs' | 'lost' | 'doubled'> & {
  cpuMs: number;
  cpuMsBy: Record<string, number>;
};

/** What a delivery costs at a fixed rate, or as fast as they go with so many outstanding. */
export const measureCost = async (
  { ground, parts, counted }: Cluster,
  target: Entrance,
  load: Load | { outstanding: number; seconds: number },
): Promise<Cost> => {
  const { receiver } = ground;
  const run = () =>
    'perSecond' in load ? runOpenLoop({ target, receiver }, load) : runClosedLoop({ target, receiver }, load);
  const { perSecond, receivedMs, lost, doubled, cpuMs } = await measure(parts, run);
  return { perSecond, receivedMs, lost, doubled, cpuMs: sumOf(cpuMs, counted), cpuMsBy: cpuMs };
};

/** `doubled` came under two ids, `sentAgain` under the same one. */
export type Counts = {
  accepted: number;
  lost: number;
  doubled: number;
  sentAgain: number;
  tookMs: Quantiles;
  locks: LockWaits;
};

/** Offers load, does `meanwhile` in the middle of it, and counts what came when nothing is in progress any more. */
export const countArrivals = async (
  cluster: Cluster,
  target: Pick<Entrance, 'hand'>,
  { perSecond, seconds, meanwhile = () => {} }: Load & { meanwhile?: () => void },
): Promise<Counts> => {
  const { receiver } = cluster.ground;
  await cluster.locks.take();
  const [run] = await Promise.all([
    runOpenLoop({ target, receiver }, { perSecond, seconds }),
    sleep(seconds * 500).then(meanwhile),
  ]);
  await untilDone(cluster);
  // What was sent again counts as received above.
  run.receptions.push(...(await receiver.take()));
  return { ...count(run), locks: await cluster.locks.take() };
};

const count = ({ handed, receptions }: Run): Omit<Counts, 'locks'> => {
  const came = Map.groupBy(receptions, ({ marker }) => marker);
  const ids = (marker: string): number => new Set(came.get(marker)?.map(({ id }) => id)).size;
  const distinct = handed.map(({ marker }) => ids(marker));
  return {
    accepted: handed.length,
    lost: distinct.filter((one) => one === 0).length,
    doubled: distinct.filter((one) => one > 1).length,
    sentAgain: receptions.length - distinct.reduce((sum, one) => sum + one, 0),
    tookMs: quantiles(
      handed.flatMap(({ marker, dueMs }) => {
        const [first] = came.get(marker) ?? [];
        return first ? [first.atMs - dueMs] : [];
      }),
    ),
  };
};

/** Contacts whose messages begin a flow, which makes a request and answers. */
export const createTalkers = async ({ ground, addAccount, sql }: Cluster) => {
  const account = await addAccount({ paths: [] });
  const at = (path: string): string => `https://127.0.0.1:${ground.receiver.port}${path}`;
  const { addFlow, write } = await createAutomation(account, { callbackUrl: at('/answers') });
  await addFlow({
    keyword: 'stock',
    match: 'prefix',
    reentry: 'allow',
    blocks: [
      {
        id: 'stock',
        type: 'external_request',
        method: 'GET',
        url: at('/stock'),
        mapping: [{ path: '$.items[0].left', field: 'left' }],
        next: { error: null, timeout: null },
      },
      { id: 'answer', type: 'send', messages: [{ text: '{{left}} are left, {{event.message.text}}' }] },
    ],
  });
  let written = 0;
  return {
    hand: async (marker: string): Promise<void> => {
      await write({ sender: `talker-${(written += 1) % talkers}`, text: `stock ${marker}` });
    },
    /** Runs so far that did not complete, or that asked the service under more than one key. */
    countWrong: async (): Promise<number> => {
      const rows = await sql`
        select r.id from runs r left join requests q on q.run_id = r.id
        group by r.id having r.status <> 'completed' or count(distinct q.idempotency_key) <> 1`;
      return rows.length;
    },
  };
};

const talkers = 200;

export type Neighbour = { alone: Counts; beside: Counts; floodPerSecond: number };

/** How long an account's events take alone, and beside another account that hands in as many as are taken, each to three webhooks. */
export const measureNeighbour = async (cluster: Cluster, load: Load): Promise<Neighbour> => {
  const neighbour = await cluster.addAccount();
  const flooding = await cluster.addAccount({ paths: ['/quiet', '/quiet', '/quiet'] });
  const alone = await countArrivals(cluster, neighbour, load);
  const stopped = new AbortController();
  let handed = 0;
  const beganMs = nowMs();
  const lane = async (): Promise<void> => {
    while (!stopped.signal.aborted) await flooding.hand(`flood ${(handed += 1)}`);
  };
  const flood = Promise.all(Array.from({ length: floodLanes }, lane));
  await sleep(2_000);
  const { receiver } = cluster.ground;
  await cluster.locks.take();
  const run = await runOpenLoop({ target: neighbour, receiver }, load);
  stopped.abort();
  await flood;
  const floodPerSecond = (handed / (nowMs() - beganMs)) * 1000;
  const locks = await cluster.locks.take();
  await untilDone(cluster, 300_000);
  run.receptions.push(...(await receiver.take()));
  return { alone, beside: { ...count(run), locks }, floodPerSecond };
};

/** Requests that the flooding account has under way at a time. */
const floodLanes = 60;
