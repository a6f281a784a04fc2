import { CancellationScope, condition, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';

/** Our own faults, such as an absent database, are retried until they are over. */
const options = {
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
} as const;

/** With the fairness key of the workflow, which is its account's. */
export const asItsAccount = () => {
  const { priority } = workflowInfo();
  return { ...options, ...(priority && { priority }) };
};

/** Ends this workflow. Resuming starts another one. */
const pause = defineSignal('pause');

/** Ends it for good. What it has begun goes on. */
const cancel = defineSignal('cancel');

/** Continues as new after so many stretches, to keep the history short: a stretch of some seconds adds about seven events. */
const stretchesPerRun = 300;

type Bulk<Result> = {
  /** The noun, for the descriptions of signals: "replay". */
  noun: string;
  /** Works for some seconds, in an activity with this summary. */
  takeStretch: (summary: string) => Promise<Result>;
  /** Records that somebody has paused or cancelled it. */
  stop: (asked: 'paused' | 'cancelled') => Promise<Result>;
  /** What the next stretch goes on from. */
  sayFrom: (result: Result) => string;
  /** Shows an operator how far it is. */
  show: (result: Result) => void;
};

/**
 * Bulk work: stretches of some seconds, until PostgreSQL has no more of it or says that it was paused or cancelled. PostgreSQL is the record. Answers
 * how it ended; undefined when another run of the workflow is to go on.
 */
export const takeStretches = <Result extends { type: string }>(
  bulk: Bulk<Result>,
): Promise<Result['type'] | undefined> => {
  const requests = listenForRequests(bulk.noun);
  return CancellationScope.nonCancellable(async () => {
    let summary = 'from its recorded progress';
    for (let stretch = 0; stretch < stretchesPerRun || requests.asked(); stretch += 1) {
      const result = await takeOne(bulk, requests, summary);
      bulk.show(result);
      if (result.type !== 'more') return result.type;
      summary = bulk.sayFrom(result);
    }
    return undefined;
  });
};

/** A pause or cancel is recorded at once. The stretch under way finds it and ends with its batch. */
const takeOne = async <Result>(
  { takeStretch, stop }: Bulk<Result>,
  requests: Requests,
  summary: string,
): Promise<Result> => {
  const stretch = takeStretch(summary);
  await Promise.race([stretch, condition(() => requests.asked() !== undefined)]);
  const asked = requests.asked();
  if (!asked) return stretch;
  const stopped = await stop(asked);
  await stretch;
  return stopped;
};

type Requests = { asked: () => 'paused' | 'cancelled' | undefined };

/** A cancellation requested in Temporal's UI is the same as the signal `cancel`: the row must know of it. */
const listenForRequests = (noun: string): Requests => {
  const requested = { pause: false, cancel: false };
  setHandler(pause, () => void (requested.pause = true), { description: `Pauses the ${noun}.` });
  setHandler(cancel, () => void (requested.cancel = true), { description: `Ends the ${noun}.` });
  CancellationScope.current().cancelRequested.catch(() => (requested.cancel = true));
  return { asked: () => (requested.cancel ? 'cancelled' : requested.pause ? 'paused' : undefined) };
};
