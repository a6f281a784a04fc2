import { setTimeout as sleep } from 'node:timers/promises';
import type { Reception, Receiver } from './receiver.ts';
import { nowMs } from './statistics.ts';
import type { Target } from './target.ts';

/** A message: when it was due to be sent, and when it was answered. */
type Handed = { marker: string; dueMs: number; answeredMs: number };

/** What was sent and what was received. `startMs` is when the first message was due. */
export type Run = { startMs: number; handed: Handed[]; receptions: Reception[] };

/** A message counts as lost when nothing at all was received for this long, in ms: longer than the sweep leaves a delivery alone. */
const lostAfterMs = 40_000;
const lookEveryMs = 5;

let runs = 0;

/**
 * Sends messages at a fixed rate, however long the answers take. Each is measured from the moment that it was due, so that the wait behind slow
 * ones counts (no coordinated omission).
 */
export const runOpenLoop = async (
  { target, receiver }: { target: Pick<Target, 'hand'>; receiver: Pick<Receiver, 'count' | 'take'> },
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Run> => {
  const sent = await sendEvenly(target, { perSecond, seconds });
  return { ...sent, receptions: await receiveAll(receiver, sent.handed.length) };
};

/** Sends messages at a fixed rate that nobody receives. */
export const sendEvenly = async (
  target: Pick<Target, 'hand'>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Pick<Run, 'startMs' | 'handed'>> => {
  const run = (runs += 1);
  const startMs = nowMs() + 50;
  const handing: Promise<Handed>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueMs = startMs + (index * 1000) / perSecond;
    const earlyMs = dueMs - nowMs();
    if (earlyMs > 0) await sleep(earlyMs);
    handing.push(hand(target, { marker: `${run}-${index}`, dueMs }));
  }
  return { startMs, handed: await Promise.all(handing) };
};

/** Sends messages as fast as they are received: for `seconds` it keeps a fixed number outstanding, and then waits for the rest. */
export const runClosedLoop = async (
  { target, receiver }: { target: Pick<Target, 'hand'>; receiver: Pick<Receiver, 'count' | 'take'> },
  { outstanding, seconds }: { outstanding: number; seconds: number },
): Promise<Run> => {
  const run = (runs += 1);
  const startMs = nowMs();
  const handing: Promise<Handed>[] = [];
  while (nowMs() < startMs + seconds * 1000) {
    const room = outstanding - (handing.length - (await receiver.count()));
    for (let more = 0; more < room; more += 1) {
      handing.push(hand(target, { marker: `${run}-${handing.length}`, dueMs: nowMs() }));
    }
    await sleep(lookEveryMs);
  }
  const handed = await Promise.all(handing);
  return { startMs, handed, receptions: await receiveAll(receiver, handed.length) };
};

const hand = async (
  target: Pick<Target, 'hand'>,
  { marker, dueMs }: Pick<Handed, 'marker' | 'dueMs'>,
): Promise<Handed> => {
  await target.hand(marker);
  return { marker, dueMs, answeredMs: nowMs() };
};

const receiveAll = async (receiver: Pick<Receiver, 'count' | 'take'>, expected: number): Promise<Reception[]> => {
  let received = 0;
  let lastMs = nowMs();
  while (received < expected && nowMs() < lastMs + lostAfterMs) {
    const count = await receiver.count();
    if (count > received) lastMs = nowMs();
    received = count;
    await sleep(lookEveryMs);
  }
  // Duplicates arrive a little later.
  await sleep(500);
  return receiver.take();
};
