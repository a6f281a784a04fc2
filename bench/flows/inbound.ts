import { inLanes } from '../lanes.ts';
import { perOne, withCpu } from '../measure.ts';
import type { Options } from '../options.ts';
import { sumOf } from '../phases.ts';
import { median, quantiles, type Quantiles } from '../statistics.ts';
import type { Automation } from './automation.ts';
import { counted, type Stage } from './stage.ts';

export type InboundKind = 'no flows' | 'ten keywords';

type InboundFigures = { messages: number; perSecond: number; answerMs: Quantiles; cpuMs: number };

export type InboundMeasured = Record<InboundKind, InboundFigures[]>;

const lanes = 16;
const senders = 50;

/** What a message costs that nobody is told of, in an account without flows, and where ten keywords are live that it does not have. */
export const measureInbound = async (
  { parts }: Pick<Stage, 'parts'>,
  accounts: Record<InboundKind, Automation>,
  { seconds, rounds }: Options,
  say: (line: string) => void,
): Promise<InboundMeasured> => {
  const keywords = Array.from({ length: 10 }, (_, index) => `keyword-${index}`);
  for (const keyword of keywords)
    await accounts['ten keywords'].addFlow({ keyword, blocks: [{ id: 'done', type: 'end' }] });
  let written = 0;
  const offer = async (kind: InboundKind, forSeconds: number): Promise<InboundFigures> => {
    const { result, cpuMs } = await withCpu(parts, () =>
      inLanes({ lanes, seconds: forSeconds }, () =>
        accounts[kind].write({ sender: `writer-${(written += 1) % senders}`, text: 'Hello, anybody there?' }),
      ),
    );
    const messages = result.tookMs.length;
    return {
      messages,
      perSecond: messages / result.seconds,
      answerMs: quantiles(result.tookMs),
      cpuMs: sumOf(perOne(cpuMs, messages), counted),
    };
  };
  const measured: InboundMeasured = { 'no flows': [], 'ten keywords': [] };
  await offer('no flows', Math.min(3, seconds));
  await offer('ten keywords', Math.min(3, seconds));
  for (let round = 1; round <= rounds; round += 1) {
    say(`flows: messages without and beside keywords, round ${round} of ${rounds} …`);
    measured['no flows'].push(await offer('no flows', seconds / 3));
    measured['ten keywords'].push(await offer('ten keywords', seconds / 3));
  }
  return measured;
};

/** How many times as much CPU time a message takes where keywords are live. */
export const ratioOf = (measured: InboundMeasured): number => {
  const cpu = (kind: InboundKind): number => median(measured[kind].map(({ cpuMs }) => cpuMs));
  return cpu('ten keywords') / cpu('no flows');
};
