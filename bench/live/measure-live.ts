import { setTimeout as sleep } from 'node:timers/promises';
import { forEachIn, inLanes } from '../lanes.ts';
import { runOpenLoop, type Run } from '../load.ts';
import { measure, perOne, withCpu, type Measured } from '../measure.ts';
import type { Options } from '../options.ts';
import { sumOf } from '../phases.ts';
import { readMemory } from '../processes.ts';
import { nowMs, quantiles, type Quantiles } from '../statistics.ts';
import { createAgents } from './agents.ts';
import { measureWebhooks, updatesPerSecond } from './bot-webhooks.ts';
import { createReceptions } from './receptions.ts';
import { counted, type LiveStage } from './stage.ts';

/** What a service at rest takes: memory of the process in MB, and CPU time in ms a second. */
type Rest = { rssMb: number; cpuMsPerSecond: number; parleyMsPerSecond: number };

export type LiveMeasured = {
  rest: Record<'before' | 'open', Rest>;
  /** API messages to visitors; `receivedMs` is until the visitor's stream has each, `afterAnswerMs` the same from its 201. */
  fanOut: Measured & { afterAnswerMs: Quantiles };
  /** From an agent's click until the visitor has the message, from the visitor's until the agent has it, and both. */
  talks: Record<'out' | 'back' | 'both', Quantiles>;
  /** Visitors' messages until another agent's page has read them. */
  screens: Measured;
  /** Updates of Telegram until the webhooks' answers: texts, and parts of albums. */
  updates: Awaited<ReturnType<typeof measureWebhooks>>;
  inbound: Record<InboundWay, { perSecond: number; answerMs: Quantiles; cpuMs: number }[]>;
};

export type InboundWay = 'API' | 'webchat';

const fanOutPerSecond = 200;
const screensPerSecond = 20;
const agentsCount = 50;
const talks = 200;
const inboundLanes = 16;

/** V8 begins to give memory back when a process has done little for eight seconds, and does so in steps. */
const settlingMs = 20_000;

type Say = (line: string) => void;

export const measureLive = async (stage: LiveStage, options: Options, say: Say): Promise<LiveMeasured> => {
  const { seconds } = options;
  const open = openVisitors(stage);
  say('live: warming up …');
  const warm = await open();
  await runFanOut(stage, warm.receptions, { perSecond: 50, seconds: Math.min(5, seconds) });
  warm.close();
  say('live: at rest without streams …');
  const before = await readRest(stage, seconds);
  const visitors = await open();
  say(`live: at rest with ${stage.visitors.length} streams …`);
  const rest = { before, open: await readRest(stage, seconds) };
  say(`live: ${fanOutPerSecond} messages/s to visitors …`);
  const fanOut = await measureFanOut(stage, visitors.receptions, seconds);
  say('live: agents and visitors talk …');
  const talked = await measureTalks(stage, visitors.receptions);
  say(`live: ${screensPerSecond} messages/s of visitors, ${agentsCount} agents …`);
  const screens = await measureScreens(stage, seconds);
  visitors.close();
  say(`live: ${updatesPerSecond} updates/s of Telegram …`);
  const targets = stage.shops.map(({ target }) => target);
  const updates = await measureWebhooks({ ...stage, targets }, seconds);
  const inbound = await measureInbound(stage, options, say);
  return { rest, fanOut, talks: talked, screens, updates, inbound };
};

/** Opens the streams of all visitors, which tell the same receptions. */
const openVisitors =
  ({ visitors }: LiveStage) =>
  async () => {
    const receptions = createReceptions();
    const closes: (() => void)[] = [];
    await forEachIn({ lanes: 16, count: visitors.length }, async (index) => {
      const close = await visitors[index]?.open(receptions);
      if (close) closes.push(close);
    });
    return { receptions, close: () => closes.forEach((close) => close()) };
  };

const readRest = async ({ parts }: LiveStage, seconds: number): Promise<Rest> => {
  await sleep(settlingMs);
  const { cpuMs } = await withCpu(parts, () => sleep(seconds * 1_000));
  const perSecond = perOne(cpuMs, seconds);
  return {
    rssMb: readMemory(parts)['parley']?.rssMb ?? Number.NaN,
    cpuMsPerSecond: sumOf(perSecond, counted),
    parleyMsPerSecond: sumOf(perSecond, ['parley']),
  };
};

type Receptions = ReturnType<typeof createReceptions>;

/** Messages by the API to visitors in turn. */
const runFanOut = (
  { visitors }: LiveStage,
  receptions: Receptions,
  load: { perSecond: number; seconds: number },
): Promise<Run> => {
  let handed = 0;
  const hand = async (marker: string): Promise<void> => {
    const { shop, conversationId } = at(visitors, (handed += 1));
    const path = `/v1/conversations/${conversationId}/messages`;
    await shop.target.call({ method: 'POST', path, status: 201, body: { text: marker, client_ref: marker } });
  };
  return runOpenLoop({ target: { hand }, receiver: receptions }, load);
};

const measureFanOut = async (
  stage: LiveStage,
  receptions: Receptions,
  seconds: number,
): Promise<LiveMeasured['fanOut']> => {
  let afterAnswerMs = quantiles([]);
  const { ids: _, ...measured } = await measure(stage.parts, async () => {
    const run = await runFanOut(stage, receptions, { perSecond: fanOutPerSecond, seconds });
    const answered = new Map(run.handed.map(({ marker, answeredMs }) => [marker, answeredMs]));
    afterAnswerMs = quantiles(run.receptions.map(({ marker, atMs }) => atMs - (answered.get(marker) ?? Number.NaN)));
    return run;
  });
  return { ...measured, afterAnswerMs };
};

/** An agent writes, and the visitor answers what has come; a few such talks at a time, in one shop. */
const measureTalks = async (stage: LiveStage, ofVisitors: Receptions): Promise<LiveMeasured['talks']> => {
  const [shop] = stage.shops;
  const visitors = stage.visitors.filter((visitor) => visitor.shop === shop);
  if (!shop) throw new Error('there is no shop');
  const [writer, reader] = await createAgents(stage, shop, 2);
  const ofAgents = createReceptions();
  const close = await reader?.open(
    visitors.map(({ conversationId }) => conversationId),
    ofAgents,
  );
  const took = { out: [] as number[], back: [] as number[], both: [] as number[] };
  await forEachIn({ lanes: 4, count: talks }, async (index) => {
    const visitor = at(visitors, index);
    const startMs = nowMs();
    const seen = ofVisitors.wait(`out ${index}`).then(nowMs);
    await Promise.all([writer?.answer(visitor.conversationId, `out ${index}`), seen]);
    const seenMs = await seen;
    const backMs = nowMs();
    const back = ofAgents.wait(`back ${index}`).then(nowMs);
    await Promise.all([visitor.say(`back ${index}`), back]);
    took.out.push(seenMs - startMs);
    took.back.push((await back) - backMs);
    took.both.push(seenMs - startMs + (await back) - backMs);
  });
  close?.();
  await ofVisitors.take();
  return { out: quantiles(took.out), back: quantiles(took.back), both: quantiles(took.both) };
};

/** Visitors of one shop write, whose agents each show a conversation; the first to show one notes what comes. */
const measureScreens = async (stage: LiveStage, seconds: number): Promise<Measured> => {
  const [, shop = stage.shops[0]] = stage.shops;
  if (!shop) throw new Error('there is no shop');
  const visitors = stage.visitors.filter((visitor) => visitor.shop === shop);
  const receptions = createReceptions();
  const agents = await createAgents(stage, shop, agentsCount);
  const closes: (() => void)[] = [];
  for (const [index, agent] of agents.entries()) {
    const { conversationId } = at(visitors, index);
    const isFirst = index < visitors.length;
    closes.push(await agent.open([conversationId], isFirst ? receptions : undefined));
  }
  await receptions.take();
  let handed = 0;
  const target = { hand: (marker: string) => at(visitors, (handed += 1)).say(marker) };
  const load = { perSecond: screensPerSecond, seconds };
  const { ids: _, ...measured } = await measure(stage.parts, () => runOpenLoop({ target, receiver: receptions }, load));
  for (const close of closes) close();
  return measured;
};

/** Messages to nobody, over the channels of the API and over webchats in turn, of as many contacts of the same accounts. */
const measureInbound = async (
  { visitors, parts }: LiveStage,
  { seconds, rounds }: Options,
  say: Say,
): Promise<LiveMeasured['inbound']> => {
  let written = 0;
  const ways: Record<InboundWay, (index: number) => Promise<unknown>> = {
    webchat: (index) => at(visitors, index).say('Is it still to be had?'),
    API: (index) => {
      const { target } = at(visitors, index).shop;
      const sender = { external_id: `sender-${index % visitors.length}` };
      const body = { message_id: `inbound-${index}`, sender, text: 'Is it still to be had?' };
      return target.call({ method: 'POST', path: `/v1/channels/${target.channelId}/inbound`, status: 202, body });
    },
  };
  // Contacts of the API exist before, as those of the webchats do.
  await forEachIn({ lanes: inboundLanes, count: visitors.length }, () => ways.API((written += 1)));
  const measured: LiveMeasured['inbound'] = { API: [], webchat: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const way of ['API', 'webchat'] as const) {
      say(`live: messages over ${way}, round ${round} of ${rounds} …`);
      const { result, cpuMs } = await withCpu(parts, () =>
        inLanes({ lanes: inboundLanes, seconds: seconds / 3 }, () => ways[way]((written += 1))),
      );
      const messages = result.tookMs.length;
      measured[way].push({
        perSecond: messages / result.seconds,
        answerMs: quantiles(result.tookMs),
        cpuMs: sumOf(perOne(cpuMs, messages), counted),
      });
    }
  }
  return measured;
};

const at = <One>(all: readonly One[], index: number): One => {
  const one = all[index % all.length];
  if (one === undefined) throw new Error('there is none of them');
  return one;
};
