import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow';

/** Makes one extra attempt of a sleeping delivery. */
const retryNow = defineSignal('retryNow');

/** Ends a sleeping delivery unsent. */
const cancel = defineSignal('cancel');

/** What was asked for while the workflow was busy. Several requests of one kind are one. */
export type Requests = { waiting: () => boolean; take: () => 'cancel' | 'retryNow' | undefined };

/**
 * Listens to the signals. A cancellation in Temporal's UI counts as the signal `cancel`. It must not break off a POST that is under
 * way, so the round itself runs in a scope that is not cancelled.
 */
export const listenForRequests = (): Requests => {
  const asked = { cancel: false, retryNow: false };
  setHandler(retryNow, () => void (asked.retryNow = true), { description: 'Makes one extra attempt now.' });
  setHandler(cancel, () => void (asked.cancel = true), { description: 'Ends the delivery unsent.' });
  CancellationScope.current().cancelRequested.catch(() => (asked.cancel = true));
  return {
    waiting: () => asked.cancel || asked.retryNow,
    take: () => {
      const request = asked.cancel ? 'cancel' : asked.retryNow ? 'retryNow' : undefined;
      if (request) asked[request] = false;
      return request;
    },
  };
};
