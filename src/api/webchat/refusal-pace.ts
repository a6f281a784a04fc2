import type { ServerResponse } from 'node:http';

/**
 * How far refusals of a channel are apart in ms, when few wait and when many do, and how long one waits at most: the widget gives up after 15 s.
 */
const usual = { fewApartMs: 1, manyApartMs: 10, mostMs: 8_000 };

/** Of so many ms that refusals wait, each is a ms further behind the one before. */
const msOfWaitPerMs = 200;

/** Resolves when a refusal of this channel may go out, or its client has gone. */
export type RefusalPace = (channel: string, response: ServerResponse) => Promise<void>;

/**
 * Answers the refusals of a channel one after the other, the slower the more of them wait. A crowd that asks again at once, whatever `Retry-After`
 * says, waits for its answers instead, and takes no more of the process than one that keeps to it.
 */
export const createRefusalPace = ({ fewApartMs, manyApartMs, mostMs } = usual): RefusalPace => {
  /** When the last refusal of a channel goes out, in the order in which channels were refused. */
  const lasts = new Map<string, number>();
  return async (channel, response) => {
    const now = performance.now();
    for (const [other, last] of lasts) {
      if (last + manyApartMs > now) break;
      lasts.delete(other);
    }
    const last = lasts.get(channel) ?? -Infinity;
    const apartMs = Math.min(manyApartMs, fewApartMs + Math.max(0, last - now) / msOfWaitPerMs);
    const at = Math.min(Math.max(now, last + apartMs), now + mostMs);
    lasts.delete(channel);
    lasts.set(channel, at);
    if (at > now) await untilGoneOr(at - now, response);
  };
};

const untilGoneOr = (ms: number, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      response.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    response.once('close', end);
  });
