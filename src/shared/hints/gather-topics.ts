import type { Topic } from '../facts/topics.ts';
import { createPacedLane, type PacedLane } from './paced-lane.ts';

/** The topics that have changed, by account, a UUID; or all topics of all accounts. */
export type Changed = ReadonlyMap<string, ReadonlySet<Topic>> | 'everything';

/** How often topics are handed over at most, in ms: those of conversations, and all others. */
export type Pace = { talkMs: number; listsMs: number };

export type TopicGathering = {
  add: (changed: Changed) => void;
  /** Hands over what waits, and gathers nothing more. Rejects as the last hand-over does. */
  stop: () => Promise<void>;
  /** Drops what waits. */
  drop: () => void;
};

/** With more accounts than this, the gatherer keeps "everything" in place of their topics, so that it stays small. */
export const accountsAtMost = 1_000;

/** The topics of people who wait for each other's words. */
const talk: ReadonlySet<Topic> = new Set(['messages', 'conversations']);

/**
 * Gathers topics, each of an account once, and hands them over no more often than `pace` says, one hand-over after the other. What `hand` rejects is
 * gathered again.
 */
export const gatherTopics = ({
  pace,
  hand,
}: {
  pace: Pace;
  hand: (changed: Changed) => void | Promise<void>;
}): TopicGathering => {
  const [ofTalk, ofLists] = [createLane(pace.talkMs, hand), createLane(pace.listsMs, hand)];
  return {
    add: (changed) => {
      if (changed === 'everything') return ofLists.addEverything();
      for (const [accountId, topics] of changed)
        for (const topic of topics) (talk.has(topic) ? ofTalk : ofLists).add(accountId, topic);
    },
    stop: async () => void (await Promise.all([ofTalk.stop(), ofLists.stop()])),
    drop: () => {
      ofTalk.drop();
      ofLists.drop();
    },
  };
};

const createLane = (everyMs: number, hand: (changed: Changed) => void | Promise<void>) => {
  let waiting = new Map<string, Set<Topic>>();
  let isEverything = false;

  const addEverything = (): void => {
    isEverything = true;
    waiting.clear();
    lane.arm();
  };

  const add = (accountId: string, topic: Topic): void => {
    if (isEverything) return;
    const topics = waiting.get(accountId);
    if (topics) return void topics.add(topic);
    if (waiting.size === accountsAtMost) return addEverything();
    waiting.set(accountId, new Set([topic]));
    lane.arm();
  };

  const lane: PacedLane = createPacedLane<Changed>({
    everyMs,
    hand,
    waiting: {
      isEmpty: () => waiting.size === 0 && !isEverything,
      take: () => {
        const taken = isEverything ? 'everything' : waiting;
        waiting = new Map();
        isEverything = false;
        return taken;
      },
      putBack: (changed) => {
        if (changed === 'everything') return addEverything();
        for (const [accountId, topics] of changed) for (const topic of topics) add(accountId, topic);
      },
    },
  });

  return { add, addEverything, drop: lane.drop, stop: lane.stop };
};
