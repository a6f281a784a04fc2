import { keepLatest, talksAtMost, type Talk } from '../facts/talked.ts';
import { createPacedLane, type PacedLane } from './paced-lane.ts';

/** Conversations that have changed, each once; or any of all accounts. */
export type Talks = readonly Talk[] | 'everything';

export type TalkGathering = {
  add: (talks: Talks) => void;
  /** Hands over what waits, and gathers nothing more. Rejects as the last hand-over does. */
  stop: () => Promise<void>;
  /** Drops what waits. */
  drop: () => void;
};

/** How often conversations are handed over at most, in ms. */
const talkEveryMs = 20;

/** Gathers conversations, each once with its latest revision, and hands them over. What `hand` rejects is gathered again. */
export const gatherTalks = ({
  hand,
  everyMs = talkEveryMs,
}: {
  hand: (talks: Talks) => void | Promise<void>;
  everyMs?: number;
}): TalkGathering => {
  let waiting = new Map<string, Talk>();
  let isEverything = false;

  const add = (talks: Talks): void => {
    if (talks === 'everything') isEverything = true;
    else if (!isEverything) for (const talk of talks) keepLatest(waiting, talk);
    if (waiting.size > talksAtMost) isEverything = true;
    if (isEverything) waiting.clear();
    lane.arm();
  };

  const lane: PacedLane = createPacedLane<Talks>({
    everyMs,
    hand,
    waiting: {
      isEmpty: () => waiting.size === 0 && !isEverything,
      take: () => {
        const taken = isEverything ? 'everything' : [...waiting.values()];
        waiting = new Map();
        isEverything = false;
        return taken;
      },
      putBack: add,
    },
  });

  return { add, drop: lane.drop, stop: lane.stop };
};
