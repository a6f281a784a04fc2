/** What waits in a lane: `take` empties it, and `putBack` has what could not be handed over wait again. */
export type Waiting<Batch> = { isEmpty: () => boolean; take: () => Batch; putBack: (batch: Batch) => void };

export type PacedLane = {
  /** Says that something waits. */
  arm: () => void;
  /** Hands over what waits, and nothing more. Rejects as the last hand-over does. */
  stop: () => Promise<void>;
  /** Drops what waits. */
  drop: () => void;
};

/** How soon a change after a pause is handed over, with those that come at about the same time, in ms. */
const soonMs = 20;

/** How long after a hand-over that has failed the same is handed over again, in ms. */
const againMs = 1_000;

/** Hands over what waits no more often than every `everyMs`, one hand-over after the other. What `hand` rejects waits again. */
export const createPacedLane = <Batch>({
  everyMs,
  waiting: { isEmpty, take, putBack },
  hand,
}: {
  everyMs: number;
  waiting: Waiting<Batch>;
  hand: (batch: Batch) => void | Promise<void>;
}): PacedLane => {
  let handedMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  const handOver = async (): Promise<void> => {
    const batch = take();
    handedMs = performance.now();
    try {
      await hand(batch);
    } catch (error) {
      if (isStopped) throw error;
      handedMs = performance.now() + againMs - everyMs;
      putBack(batch);
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

  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    arm,
    drop: () => {
      disarm();
      take();
    },
    stop: async () => {
      disarm();
      await underWay;
      isStopped = true;
      disarm();
      if (!isEmpty()) await handOver();
    },
  };
};
