import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody } from '../../src/api/middleware/errors.ts';
import { patienceMs } from './patience.ts';

/** Whoever hands messages in, and what was answered. */
export type Sender = {
  /** The markers of the messages that were answered 202, in that order. */
  accepted: Set<string>;
  /** When each message was handed in for the first time, in ms since the epoch. */
  handedAtMs: Map<string, number>;
  /** The statuses of refusals in the error shape. */
  refusals: number[];
  /** Hands a message in once: its status, or undefined when the connection broke. */
  hand: (marker: string) => Promise<number | undefined>;
  /** Hands it in under the same message_id until it is accepted, as a sender does that wants nothing lost. */
  handUntilAccepted: (marker: string) => Promise<void>;
  /** Hands messages in at fixed moments until `signal` says stop, each until it is accepted. */
  load: (options: { perSecond: number; seconds: number; name?: string; signal?: AbortSignal }) => Promise<void>;
};

/** `post` makes one call of the inbound route. */
export const createSender = (post: (message: object) => Promise<Response>): Sender => {
  const accepted = new Set<string>();
  const handedAtMs = new Map<string, number>();
  const refusals: number[] = [];

  const hand = async (marker: string): Promise<number | undefined> => {
    if (!handedAtMs.has(marker)) handedAtMs.set(marker, Date.now());
    const message = { message_id: marker, sender: { external_id: 'ada' }, text: marker };
    const answer = await post(message).catch(() => undefined);
    // The connection may also break in the middle of an answer.
    const body: unknown = await answer?.json().catch(() => undefined);
    if (answer === undefined || body === undefined) return undefined;
    if (answer.status === 202) accepted.add(marker);
    else {
      errorBody.parse(body);
      refusals.push(answer.status);
    }
    return answer.status;
  };

  const handUntilAccepted = async (marker: string): Promise<void> => {
    const deadline = Date.now() + patienceMs;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const status = await hand(marker);
      if (status === 202) return;
      // 429 where too many of them are under way: it says "try again", as a 503 does.
      if (status !== undefined && status < 500 && status !== 429)
        throw new Error(`${marker} was refused for good: ${status}`);
      if (Date.now() > deadline) throw new Error(`${marker} was not accepted: ${status ?? 'no answer'}`);
      await sleep(pauseMs);
    }
  };

  return {
    accepted,
    handedAtMs,
    refusals,
    hand,
    handUntilAccepted,
    load: async ({ perSecond, seconds, name = 'load', signal }) => {
      const startMs = Date.now();
      const handing: Promise<void>[] = [];
      for (let index = 0; index < perSecond * seconds; index += 1) {
        if (signal?.aborted) break;
        const earlyMs = startMs + (index * 1000) / perSecond - Date.now();
        if (earlyMs > 0) await sleep(earlyMs);
        handing.push(handUntilAccepted(`${name}-${index}`));
      }
      await Promise.all(handing);
    },
  };
};
