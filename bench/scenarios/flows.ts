import { createAutomation } from '../flows/automation.ts';
import { measureTalks } from '../flows/conversations.ts';
import { measureInbound, ratioOf } from '../flows/inbound.ts';
import { measureRuns, type FlowKind, type RunFigures } from '../flows/runs.ts';
import { openStage } from '../flows/stage.ts';
import { sayTalks } from '../flows/say-talks.ts';
import { measureWaiting } from '../flows/waiting.ts';
import { median } from '../statistics.ts';
import { aim, ms, sayEvents, table } from '../text.ts';
import { onNewGround } from './scenario.ts';

/** Measures what flows cost: runs, contacts who wait in them, and messages where keywords are live. */
export const flows = onNewGround(async (ground, options, say) => {
  const stage = await openStage(ground);
  const others = await ground.addTarget(stage.parley, { paths: [] });
  const quiet = await ground.addTarget(stage.parley, { paths: [] });
  const accounts = { 'no flows': await createAutomation(quiet), 'ten keywords': await createAutomation(others) };
  const inbound = await measureInbound(stage, accounts, options, say);
  const talks = await measureTalks(stage, options, say);
  const runs = await measureRuns(stage, options, say);
  const waiting = await measureWaiting(stage, options, say);

  const over = (kind: FlowKind, figure: (one: RunFigures) => number): number => median(runs.kinds[kind].map(figure));
  const kinds = ['with a call', 'without'] as const;
  const events = (kind: FlowKind): number => median(runs.kinds[kind].flatMap(({ historyEvents }) => historyEvents));
  const cost = (kind: FlowKind): number => over(kind, ({ cpuMs }) => cpuMs) / runs.floorCpuMs.without;
  const ofItsShape = (kind: FlowKind): number => over(kind, ({ cpuMs }) => cpuMs) / runs.floorCpuMs[kind];
  const rss = ({ memory }: typeof waiting.before): number => memory['parley']?.rssMb ?? 0;
  const growthMb = rss(waiting.after) - rss(waiting.before);
  const idle = [waiting.before, waiting.after].map(({ cpuMsPerSecond }) => cpuMsPerSecond.toFixed(0)).join(' → ');
  const message = ratioOf(inbound);
  const told = sayTalks(talks);
  const unfinished = kinds.flatMap((kind) => runs.kinds[kind]).reduce((sum, one) => sum + one.unfinished, 0);
  return {
    title:
      'Flows: conversations, runs of five blocks at saturation, contacts who wait, messages beside ten keywords; medians',
    lines: [
      ...told.lines,
      '',
      ...table(
        [
          '',
          'runs/s',
          'steps/s',
          'step p95 ms',
          'run p95 ms',
          'CPU ms per run',
          'of the floor',
          'of one with a call',
          'events',
        ],
        kinds.map((kind) => [
          kind,
          over(kind, ({ perSecond }) => perSecond).toFixed(1),
          over(kind, ({ stepsPerSecond }) => stepsPerSecond).toFixed(1),
          ms(over(kind, ({ stepP95Ms }) => stepP95Ms)),
          ms(over(kind, ({ runP95Ms }) => runP95Ms)),
          ms(over(kind, ({ cpuMs }) => cpuMs)),
          `${cost(kind).toFixed(2)}×`,
          kind === 'with a call' ? `${ofItsShape(kind).toFixed(2)}×` : '',
          sayEvents(events(kind)),
        ]),
      ),
      `  the floor: ${ms(runs.floorCpuMs.without)} CPU ms per workflow that does nothing; with a call that does nothing ${ms(runs.floorCpuMs['with a call'])}`,
      '',
      ...table(
        ['', 'messages/s', 'answer p50 ms', 'p95', 'CPU ms per message'],
        Object.entries(inbound).map(([kind, all]) => [
          kind,
          median(all.map(({ perSecond }) => perSecond)).toFixed(1),
          ms(median(all.map(({ answerMs }) => answerMs.p50))),
          ms(median(all.map(({ answerMs }) => answerMs.p95))),
          ms(median(all.map(({ cpuMs }) => cpuMs))),
        ]),
      ),
      '',
      `  ${waiting.waiting} contacts wait: service ${rss(waiting.before).toFixed(0)} → ${rss(waiting.after).toFixed(0)} MB, CPU at rest ${idle} ms/s`,
    ],
    aims: [
      ...told.aims,
      aim(cost('with a call') <= 2, `CPU of a run at most twice the floor: ${cost('with a call').toFixed(2)} ×`),
      aim(events('with a call') <= 13, `events of a run with a call at most 13: ${sayEvents(events('with a call'))}`),
      aim(growthMb < 100, `${waiting.waiting} who wait take less than 100 MB: ${growthMb.toFixed(0)} MB`),
      aim(message <= 1.3, `a message beside ten keywords at most 1.3 × the CPU: ${message.toFixed(2)} ×`),
    ],
    lossless: unfinished === 0 && told.isLossless,
    figures: { talks, inbound, runs, waiting, message, growthMb },
  };
});
