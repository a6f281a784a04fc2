import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhook } from '../../packages/verify/src/index.ts';
import type { Answer, ReceivedRequest } from '../helpers/receiver.ts';

/**
 * One POST that came in: which event of which webhook, its id, how often that id has come, this time included, and when,
 * in ms since the epoch.
 */
type Post = { webhook: string; marker: string; id: string; time: number; atMs: number };

export type Respond = (post: Post) => Answer | Promise<Answer>;

/** Answers 200 after this many ms, in which whatever breaks catches the POST under way. */
export const takeAfter =
  (ms: number): Respond =>
  async () => {
    await sleep(ms);
    return 200;
  };

/** Answers 200: at once, or, while they are held, when they are let go. */
export type HeldAnswers = { respond: Respond; hold: () => void; letGo: () => void };

export const holdAnswers = (): HeldAnswers => {
  let held: PromiseWithResolvers<void> | undefined;
  return {
    respond: async () => {
      await held?.promise;
      return 200;
    },
    hold: () => {
      held ??= Promise.withResolvers();
    },
    letGo: () => {
      held?.resolve();
      held = undefined;
    },
  };
};

/** What came of the events that were accepted, in deliveries. */
export type Tally = {
  accepted: number;
  delivered: number;
  lost: number;
  /** POSTs beyond the first of an id. */
  sentAgain: number;
  /** When the last delivery was taken for the first time, in ms since the epoch. */
  lastAtMs: number;
};

/** What a receiver keeps to prove that everything came, with the same id and the same bytes each time. */
export type Ledger = {
  /** Verifies a request, notes it, and answers as `respond` says. */
  receive: (request: ReceivedRequest, respond: Respond) => Promise<Answer>;
  posts: Post[];
  /** POSTs that came in and have no answer yet. */
  underWay: () => number;
  /** Ids that came, each counted once. */
  seen: () => number;
  /** When the deliveries that were taken came in for the first time, by webhook and marker, in ms since the epoch. */
  takenAtMs: (webhook: string, marker: string) => number | undefined;
  tally: (markers: ReadonlySet<string>, webhooks: readonly string[]) => Tally;
  /** Whatever must never be: bad signatures, two ids of one delivery, other bytes under an id. */
  problems: string[];
};

export const createLedger = (secret: string): Ledger => {
  const posts: Post[] = [];
  const problems: string[] = [];
  const idOf = new Map<string, string>();
  const bytesOf = new Map<string, string>();
  const times = new Map<string, number>();
  const taken = new Map<string, number>();
  let underWay = 0;
  const keyOf = (webhook: string, marker: string): string => `${webhook} ${marker}`;

  const note = ({ path, rawBody, headers, receivedAtMs }: ReceivedRequest): Post => {
    const received = verifyWebhook({ body: rawBody, headers, secrets: secret, toleranceSeconds: 300 });
    if (received.type !== 'api' || received.envelope.event !== 'new_message') throw new Error(`not expected: ${path}`);
    const { id } = received;
    const marker = received.envelope.data.message.text;
    const key = keyOf(path, marker);
    const known = idOf.get(key) ?? id;
    if (known !== id) problems.push(`${key} came as ${known} and as ${id}`);
    idOf.set(key, known);
    const bytes = hash('sha256', rawBody);
    if ((bytesOf.get(id) ?? bytes) !== bytes) problems.push(`${key} came with other bytes under ${id}`);
    bytesOf.set(id, bytes);
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    return { webhook: path, marker, id, time, atMs: receivedAtMs };
  };

  return {
    posts,
    problems,
    underWay: () => underWay,
    seen: () => times.size,
    receive: async (request, respond) => {
      underWay += 1;
      try {
        const post = note(request);
        posts.push(post);
        const answer = await respond(post);
        const key = keyOf(post.webhook, post.marker);
        if (answer === 200 && !taken.has(key)) taken.set(key, request.receivedAtMs);
        return answer;
      } catch (error) {
        problems.push(String(error));
        return 400;
      } finally {
        underWay -= 1;
      }
    },
    takenAtMs: (webhook, marker) => taken.get(keyOf(webhook, marker)),
    tally: (markers, webhooks) => {
      const expected = webhooks.flatMap((webhook) => [...markers].map((marker) => keyOf(webhook, marker)));
      const arrivals = expected.flatMap((key) => taken.get(key) ?? []);
      return {
        accepted: expected.length,
        delivered: arrivals.length,
        lost: expected.length - arrivals.length,
        sentAgain: posts.length - times.size,
        lastAtMs: arrivals.reduce((latest, atMs) => Math.max(latest, atMs), 0),
      };
    },
  };
};
