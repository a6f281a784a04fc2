import { readId, showId } from '../../src/shared/ids.ts';
import { startFloor } from '../floor.ts';
import { untilIdle } from '../idle.ts';
import { runClosedLoop, runOpenLoop, sendEvenly, type Run } from '../load.ts';
import { measure, readHistoryLengths, type Measured } from '../measure.ts';
import type { Options } from '../options.ts';
import { countedParts, saturateFloor, sumOf } from '../phases.ts';
import { median, quantiles, type Quantiles } from '../statistics.ts';
import { createAutomation, type Automation, type Block } from './automation.ts';
import { counted, type Stage } from './stage.ts';

/** A message starts a flow, which answers: after a request whose response it maps to a field, or at once. */
export const talkKinds = ['asks a service', 'only talks'] as const;
export type TalkKind = (typeof talkKinds)[number];

/** `answerMs` is the API's own answer, `receivedMs` the time from the message to the flow's answer at the callback url. */
type Talk = Pick<Measured, 'answerMs' | 'receivedMs' | 'perSecond' | 'lost' | 'doubled'> & { cpuMs: number };

export type TalksMeasured = {
  rates: ({ perSecondOffered: number } & Record<TalkKind, Talk>)[];
  saturation: Record<TalkKind, (Talk & { historyEvents: number[] })[]>;
  floor: Record<TalkKind, { perSecond: number; cpuMs: number }>;
  /** The API's own answer at the middle rate to a message that starts nothing. */
  quietMs: Quantiles;
};

const shapes = { 'asks a service': 'floorWithCall', 'only talks': 'floor' } as const;
const senders = 200;

/** Runs under way at saturation: more wait longer and are no faster. */
const outstanding = 40;

/** Conversations at fixed rates and at saturation, the latter in turn with the floor. */
export const measureTalks = async (
  stage: Stage,
  { seconds, rounds, talks }: Options,
  say: (line: string) => void,
): Promise<TalksMeasured> => {
  const { ground, parley } = stage;
  const target = await ground.addTarget(parley, { paths: [] });
  const at = (path: string): string => `https://127.0.0.1:${ground.receiver.port}${path}`;
  const automation = await createAutomation(target, { callbackUrl: at('/answers') });
  const words = { 'asks a service': 'stock', 'only talks': 'hello', nothing: 'thanks' } as const;
  const request = { id: 'stock', type: 'external_request', method: 'GET', url: at('/stock') };
  const asks = {
    ...request,
    mapping: [{ path: '$.items[0].left', field: 'left' }],
    next: { error: null, timeout: null },
  };
  const answer = (text: string): Block => ({ id: 'answer', type: 'send', messages: [{ text }] });
  const flow = (kind: TalkKind, blocks: readonly Block[]) =>
    automation.addFlow({ keyword: words[kind], match: 'prefix', reentry: 'allow', blocks });
  await flow('asks a service', [asks, answer('{{left}} are left, {{event.message.text}}')]);
  await flow('only talks', [answer('Hello, {{event.message.text}}')]);

  const measured = async (work: () => Promise<Run>): Promise<Talk & { ids: string[] }> => {
    const { cpuMs, answerMs, receivedMs, perSecond, lost, doubled, ids } = await measure(stage.parts, work);
    await untilIdle([parley.metricsUrl]);
    return { answerMs, receivedMs, perSecond, lost, doubled, ids, cpuMs: sumOf(cpuMs, counted) };
  };
  const loadOf = (word: string) => ({ target: writer(automation, word), receiver: ground.receiver });

  say('flows: warming up conversations …');
  for (const kind of talkKinds) await measured(() => runOpenLoop(loadOf(words[kind]), { perSecond: 20, seconds: 10 }));
  const rates: TalksMeasured['rates'] = [];
  for (const perSecondOffered of talks) {
    const load = { perSecond: perSecondOffered, seconds };
    const offer = async (kind: TalkKind): Promise<Talk> => {
      say(`flows: conversations, ${kind}, ${perSecondOffered} messages/s …`);
      const { ids: _, ...talk } = await measured(() => runOpenLoop(loadOf(words[kind]), load));
      return talk;
    };
    rates.push({
      perSecondOffered,
      'asks a service': await offer('asks a service'),
      'only talks': await offer('only talks'),
    });
  }
  const middle = talks[Math.floor(talks.length / 2)] ?? 20;
  const { handed } = await sendEvenly(writer(automation, words.nothing), { perSecond: middle, seconds });
  const quietMs = quantiles(handed.map(({ dueMs, answeredMs }) => answeredMs - dueMs));

  const floor = startFloor(ground.temporal.address);
  ground.defer(() => floor.stop());
  const parts = { ...stage.parts, floor: floor.pid };
  for (const shape of Object.values(shapes)) await saturateFloor({ floor, parts }, 1, shape);
  const saturation: TalksMeasured['saturation'] = { 'asks a service': [], 'only talks': [] };
  const floors: Record<TalkKind, { perSecond: number; cpuMs: number }[]> = { 'asks a service': [], 'only talks': [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const kind of talkKinds) {
      say(`flows: conversations at saturation, ${kind}, round ${round} of ${rounds} …`);
      const load = { outstanding, seconds: seconds / 3 };
      const { ids, ...talk } = await measured(() => runClosedLoop(loadOf(words[kind]), load));
      saturation[kind].push({ ...talk, historyEvents: await readEvents(stage, ids) });
      const { perSecond, cpuMs } = await saturateFloor({ floor, parts }, seconds / 3, shapes[kind]);
      floors[kind].push({ perSecond, cpuMs: sumOf(cpuMs, countedParts.floor) });
    }
  }
  const floorOf = (kind: TalkKind) => ({
    perSecond: median(floors[kind].map(({ perSecond }) => perSecond)),
    cpuMs: median(floors[kind].map(({ cpuMs }) => cpuMs)),
  });
  const byFloor = { 'asks a service': floorOf('asks a service'), 'only talks': floorOf('only talks') };
  return { rates, saturation, floor: byFloor, quietMs };
};

/** Contacts who write in turn, so that no conversation waits for its own last answer at the rates. */
const writer = ({ write }: Automation, word: string) => {
  let handed = 0;
  return {
    hand: async (marker: string): Promise<void> => {
      await write({ sender: `talker-${(handed += 1) % senders}`, text: `${word} ${marker}` });
    },
  };
};

/** The lengths of histories of the runs that have sent some of these messages. */
const readEvents = async ({ sql, ground }: Stage, messageIds: readonly string[]): Promise<number[]> => {
  const rows = await sql<{ runId: string }[]>`
    select run_id from outbound_messages where message_id = any(${messageIds.slice(-50).map((id) => readId('message', id))})`;
  return readHistoryLengths(
    ground.temporal.address,
    rows.map(({ runId }) => `run/${showId('run', runId)}`),
  );
};
