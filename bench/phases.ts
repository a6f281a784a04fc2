import { loadavg } from 'node:os';
import { runClosedLoop, runOpenLoop } from './load.ts';
import { measure, perOne, readHistoryLengths, withCpu, type CpuMs, type Measured } from './measure.ts';
import type { Options } from './options.ts';
import { readMemory, type Memory } from './processes.ts';
import type { Servers } from './servers.ts';

/** The result of a round at saturation. */
export type Saturated = Pick<Measured, 'perSecond' | 'cpuMs'> & Partial<Pick<Measured, 'lost' | 'doubled'>>;

export type Results = {
  /** The load average of the last minute: what else the machine was doing. */
  loadBefore: number;
  rates: (Measured & { perSecondOffered: number; historyEvents: number[] })[];
  saturation: { parley: Saturated[]; floor: Saturated[]; graphile: Saturated[] };
  /** Of the workflows that ran at saturation. */
  historyEvents: number[];
  memory: Record<string, Memory>;
};

/** Measures one thing after the other, so that none shares the machine with another. */
export const runPhases = async (
  servers: Servers,
  { seconds, rates, rounds, outstanding }: Options,
  say: (line: string) => void,
): Promise<Results> => {
  const { receiver, parley, graphile, parts, temporalAddress } = servers;
  const lengths = (ids: readonly string[]) =>
    readHistoryLengths(
      temporalAddress,
      ids.map((id) => `delivery/${id}`),
    );
  const warmUp = { perSecond: 40, seconds: Math.min(5, seconds) };
  const saturation = { seconds: seconds / 3, outstanding };

  const [loadBefore = 0] = loadavg();
  say('Warming up …');
  await runOpenLoop({ target: parley, receiver }, warmUp);
  const measuredRates: Results['rates'] = [];
  for (const perSecondOffered of rates) {
    say(`${perSecondOffered} messages/s for ${seconds} s …`);
    const load = { perSecond: perSecondOffered, seconds };
    const { ids, ...measured } = await measure(parts, () => runOpenLoop({ target: parley, receiver }, load));
    measuredRates.push({ perSecondOffered, ...measured, historyEvents: await lengths(ids) });
  }

  say('Warming up the yardsticks …');
  await runOpenLoop({ target: graphile, receiver }, warmUp);
  await saturateFloor(servers, 1);
  const saturated: Results['saturation'] = { parley: [], floor: [], graphile: [] };
  const historyEvents: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`Saturation, round ${round} of ${rounds} …`);
    const { ids, ...measured } = await measure(parts, () => runClosedLoop({ target: parley, receiver }, saturation));
    historyEvents.push(...(await lengths(ids)));
    saturated.parley.push(measured);
    saturated.floor.push(await saturateFloor(servers, saturation.seconds));
    const { ids: _, ...queue } = await measure(parts, () => runClosedLoop({ target: graphile, receiver }, saturation));
    saturated.graphile.push(queue);
  }
  return { loadBefore, rates: measuredRates, saturation: saturated, historyEvents, memory: readMemory(parts) };
};

/** Concurrent starts, as many as Parley's dispatcher makes. */
const floorAtOnce = 64;

/** What Temporal does without Parley, in a process of its own, for so long. */
export const saturateFloor = async (
  { floor, parts }: Pick<Servers, 'floor' | 'parts'>,
  seconds: number,
  shape: 'floor' | 'floorWithCall' = 'floor',
): Promise<Saturated> => {
  const { result, cpuMs } = await withCpu(parts, () => floor.saturate({ seconds, atOnce: floorAtOnce, shape }));
  return { perSecond: result.workflows / result.seconds, cpuMs: perOne(cpuMs, result.workflows) };
};

/** The parts whose CPU time counts for each of the three. The receiver and the load generator belong to the bench. */
export const countedParts = {
  parley: ['temporal', 'parley', 'postgres'],
  floor: ['temporal', 'floor'],
  graphile: ['graphile', 'postgres'],
} as const;

export const sumOf = (cpuMs: CpuMs, parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + (cpuMs[part] ?? 0), 0);
