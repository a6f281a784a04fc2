import type { Topic } from '../facts/topics.ts';

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

/** How soon a change after a pause is handed over, with those that come at about the same time, in ms. */
const soonMs = 20;

/** How long after a hand-over that has failed the same topics are handed over again, in ms. */
const againMs = 1_000;

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
  let handedMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  const isEmpty = (): boolean => waiting.size === 0 && !isEverything;

  const take = (): Changed => {
    const taken = isEverything ? 'everything' : waiting;
    waiting = new Map();
    isEverything = false;
    return taken;
  };

  const handOver = async (): Promise<void> => {
    const changed = take();
    handedMs = performance.now();
    try {
      await hand(changed);
    } catch (error) {
      if (isStopped) throw error;
      handedMs = performance.now() + againMs - everyMs;
      addAll(changed);
    }
  };

  const arm = (): void => {
    if (isStopped || timer || underWay || isEmpty()) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        underWay = handOver().finally(() => {
          underWay = undefined;
          arm();
        });
      },
      Math.max(Math.min(soonMs, everyMs), handedMs + everyMs - performance.now()),
    );
  };

  const addEverything = (): void => {
    isEverything = true;
    waiting.clear();
    arm();
  };

  const add = (accountId: string, topic: Topic): void => {
    if (isEverything) return;
    const topics = waiting.get(accountId);
    if (topics) return void topics.add(topic);
    if (waiting.size === accountsAtMost) return addEverything();
    waiting.set(accountId, new Set([topic]));
    arm();
  };

  const addAll = (changed: Changed): void => {
    if (changed === 'everything') return addEverything();
    for (const [accountId, topics] of changed) for (const topic of topics) add(accountId, topic);
  };

  const drop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    take();
  };

  return {
    add,
    addEverything,
    drop,
    stop: async () => {
      clearTimeout(timer);
      timer = undefined;
      await underWay;
      isStopped = true;
      clearTimeout(timer);
      if (!isEmpty()) await handOver();
    },
  };
};
