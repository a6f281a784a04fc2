import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Reception, Receiver } from '../receiver.ts';
import { api, type Ground, type Process } from '../servers.ts';
import { nowMs, quantiles } from '../statistics.ts';
import type { Target } from '../target.ts';
import { aim, ms, table } from '../text.ts';
import { onNewGround } from './scenario.ts';

/** The events of each measured sender, and the time between them, in ms. */
const events = 20;
const apartMs = 125;

/** Webhooks that flood or hang, and messages to each: more than an account has places. */
const webhooks = 10;
const flood = 40;
const hung = 45;

/** The most requests of an account under way. Its share is about 330; without shares all that it was sent would hang. */
const heldAtMost = 400;

/** How long the first retry waits, in ms (specification 6.1). */
const retryAfterMs = 30_000;

/** Sends an event. The answer tells it apart at the receiver. */
type Sender = (marker: string) => Promise<string>;

/** Measures what one account does to another, and to its own webhooks: floods, hanging first attempts, hanging retries. */
export const fairness = onNewGround(async (ground, _options, say) => {
  const parley = await ground.startProcess('parley', { file: api, database: ground.postgres.database });
  say('fairness: one account floods …');
  const beforeFlood = await duringFlood(ground, parley);
  const rows: string[][] = [];
  const aims = [aim(beforeFlood > 0, `another's is delivered before a flood is: ${ms(beforeFlood)} ms before`)];
  const figures: Record<string, unknown> = { beforeFlood };
  let lossless = true;
  for (const { attempts, path, measured } of [
    { attempts: 'first attempts', path: '/', measured: firstAttempts },
    { attempts: 'retries', path: '/second', measured: retries },
  ]) {
    say(`fairness: ten webhooks hang, ${attempts} …`);
    const { held, tookMs } = await besideHanging(ground, parley, { path, measured });
    for (const [whose, took] of Object.entries(tookMs)) {
      const { p50, p95 } = quantiles(took);
      const slowest = Math.max(...took);
      rows.push([`${attempts}, ${whose}`, ms(p50), ms(p95), ms(slowest), String(events - took.length), String(held)]);
      // In a service that is held up, one event has the whole wait, up to ten seconds, and those after it have none.
      const noWait = held >= webhooks && took.length === events && p95 < 2_000 && slowest < 5_000;
      aims.push(aim(noWait, `${attempts}, ${whose}: p95 below 2 s, none above 5 s`));
      lossless &&= took.length === events;
    }
    aims.push(
      aim(held < heldAtMost, `${attempts}: ${held} hang at once, fewer than ${heldAtMost} of ${webhooks * hung}`),
    );
    figures[attempts] = { held, tookMs };
  }
  return {
    title: 'An account floods the service, and one has ten webhooks that hang: what others feel of it',
    lines: table(['while ten webhooks hang', 'p50', 'p95', 'slowest', 'lost', 'hanging'], rows),
    aims,
    lossless,
    figures,
  };
});

/** How long before the last event of a flood another account's event is received that was sent after the flood, in ms. */
const duringFlood = async ({ receiver, addTarget }: Ground, parley: Process): Promise<number> => {
  const flooding = await addTarget(parley, { paths: Array.from({ length: webhooks }, () => '/') });
  const modest = await addTarget(parley);
  await modest.hand('warm-up');
  await untilReceived(receiver, 1);
  await receiver.take();
  await Promise.all(Array.from({ length: flood }, (_, number) => flooding.hand(`flood ${number}`)));
  await modest.hand('modest');
  await untilReceived(receiver, webhooks * flood + 1);
  const receptions = await receiver.take();
  const lastOf = (isOne: (marker: string) => boolean): number =>
    Math.max(...receptions.flatMap(({ marker, atMs }) => (isOne(marker) ? [atMs] : [])));
  return lastOf((marker) => marker !== 'modest') - lastOf((marker) => marker === 'modest');
};

type Measurement = (
  senders: Readonly<Record<string, Sender>>,
  receiver: Receiver,
) => Promise<{ held: number; tookMs: Record<string, number[]> }>;

/** What an account whose webhooks hang does to another account's webhook, and to a healthy one of its own, both at `path`. */
const besideHanging = async (
  { receiver, addTarget }: Ground,
  parley: Process,
  { path, measured }: { path: string; measured: Measurement },
) => {
  const hanging = await addTarget(parley, { paths: Array.from({ length: webhooks }, () => '/hanging') });
  const another = await addTarget(parley, { paths: [path] });
  const own = {
    url: `https://127.0.0.1:${receiver.port}${path}`,
    events: ['new_contact'],
    secret: 'of-its-own-webhook',
  };
  await hanging.call({ method: 'POST', path: '/v1/webhooks', status: 201, body: own });
  const ofAnother: Sender = async (marker) => {
    await another.hand(marker);
    return marker;
  };
  await Promise.all(Array.from({ length: hung }, (_, number) => hanging.hand(`hangs ${number}`)));
  await untilHeldStays(receiver);
  const outcome = await measured({ "another's": ofAnother, 'its own': ofContacts(hanging) }, receiver);
  // Deleting its webhooks ends their retries.
  for (const id of hanging.webhookIds)
    await hanging.call({ method: 'DELETE', path: `/v1/webhooks/${id}`, status: 204 });
  return outcome;
};

/** Creates a contact, an event to which no hanging webhook subscribes. */
const ofContacts =
  ({ call }: Target): Sender =>
  async (marker) => {
    const made = await call({ method: 'POST', path: '/v1/contacts', status: 201, body: { first_name: marker } });
    return z.object({ id: z.string() }).parse(made).id;
  };

type Sent = { whose: string; marker: string; atMs: number };

/** Sends the events of each sender, evenly and in turn. */
const sendAll = async (senders: Readonly<Record<string, Sender>>): Promise<Sent[]> => {
  const sent: Promise<Sent>[] = [];
  for (let number = 0; number < events; number += 1) {
    for (const [whose, send] of Object.entries(senders)) {
      const atMs = nowMs();
      sent.push(send(`${whose} ${number}`).then((marker) => ({ whose, marker, atMs })));
      await sleep(apartMs);
    }
  }
  return Promise.all(sent);
};

const byWhose = (sent: readonly Sent[], tookMs: (one: Sent) => number | undefined): Record<string, number[]> => {
  const all: Record<string, number[]> = {};
  for (const one of sent) (all[one.whose] ??= []).push(...[tookMs(one)].filter((took) => took !== undefined));
  return all;
};

/** The time from sending an event until it is received, in ms. */
const firstAttempts: Measurement = async (senders, receiver) => {
  const held = await receiver.held();
  const sent = await sendAll(senders);
  const receptions = await receiveAll(receiver, sent, { times: 1, withinMs: 60_000 });
  return {
    held,
    tookMs: byWhose(sent, ({ marker, atMs }) => {
      const [first] = receptions.get(marker) ?? [];
      return first && first.atMs - atMs;
    }),
  };
};

/** How late the retry of an event with a failed first attempt is, while retries of hanging deliveries are made. */
const retries: Measurement = async (senders, receiver) => {
  // A hanging first attempt fails after ten seconds. From then on the retries of both are made at the same time.
  await sleep(10_000);
  const sent = await sendAll(senders);
  await sleep(Math.max(0, retryAfterMs - 2_000 - events * apartMs));
  const held = await receiver.held();
  const receptions = await receiveAll(receiver, sent, { times: 2, withinMs: 60_000 });
  return {
    held,
    tookMs: byWhose(sent, ({ marker }) => {
      const [first, second] = receptions.get(marker) ?? [];
      return first && second && second.atMs - first.atMs - retryAfterMs;
    }),
  };
};

/** What the receiver got of each of these, once all came that often or the time is over. */
const receiveAll = async (
  receiver: Receiver,
  sent: readonly Sent[],
  { times, withinMs }: { times: number; withinMs: number },
): Promise<Map<string, Reception[]>> => {
  const got = new Map<string, Reception[]>(sent.map(({ marker }) => [marker, []]));
  const untilMs = nowMs() + withinMs;
  while (nowMs() < untilMs && [...got.values()].some(({ length }) => length < times)) {
    for (const reception of await receiver.take()) got.get(reception.marker)?.push(reception);
    await sleep(20);
  }
  return got;
};

const untilReceived = async (receiver: Receiver, count: number): Promise<void> => {
  while ((await receiver.count()) < count) await sleep(5);
};

/** Resolves when the number of hanging requests is above what is under way at first and stays the same for a second; after 30 s at most. */
const untilHeldStays = async (receiver: Receiver): Promise<void> => {
  let [last, sinceMs] = [0, nowMs()];
  while (last < (webhooks * hung) / 4 || nowMs() - sinceMs < 1_000) {
    if (nowMs() - sinceMs > 30_000) return;
    const held = await receiver.held();
    if (held !== last) [last, sinceMs] = [held, nowMs()];
    await sleep(20);
  }
};
