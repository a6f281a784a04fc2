import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import { attemptsPerRound, delayAfterAttempt } from '../shared/deliveries/ladder.ts';
import type { DeliverEvent, DeliveryEnd, DeliveryStatus, Disabling } from '../shared/deliveries/types.ts';
import { unreachable } from '../shared/unreachable.ts';
import { attempt, cancelDelivery, disableWebhook, dropDelivery, loadRound } from './delivery/activities.ts';
import { asRecorded, firstOutcome } from './delivery/first-outcome.ts';
import { listenForRequests, type Requests } from './delivery/requests.ts';
import { retryIn, showEnd, showFailure, type Walk } from './delivery/view.ts';

/**
 * One round of a delivery: attempt 1 at once, by the outbox before this workflow; then a retry 30 s, 1, 2, 4 and 8 minutes after the failure before it. When
 * all six have failed the variant decides: A's webhook is disabled and its owner told by e-mail, B's event is dropped to
 * the delivery log (specification 6.3 and 6.4). Answers the status that the delivery ended with, and what its last attempt met.
 */
export async function deliverEvent(delivery: DeliverEvent): Promise<DeliveryEnd> {
  const requests = listenForRequests();
  return CancellationScope.nonCancellable(() => walkLadder(delivery, requests));
}

async function walkLadder(delivery: DeliverEvent, requests: Requests): Promise<DeliveryEnd> {
  const { status, inProgress, dueInMs, ...made } = firstOutcome(delivery) ?? (await loadRound(delivery));
  const walk: Walk = { ...made };
  if (!inProgress) return showEnd(delivery, status, walk);

  let waitMs: number = dueInMs;
  if (walk.last) showFailure(walk, waitMs);
  const attempts = delivery.isTest ? 1 : attemptsPerRound;
  while (walk.attemptsMade < attempts) {
    if (waitMs > 0) {
      const ended = await waitForRetry(delivery, requests, { walk, waitMs });
      if (ended) return showEnd(delivery, ended, walk);
    }
    const result = await attempt(delivery, 'scheduled', walk.attemptsMade + 1);
    if (result.type === 'recorded' && result.behind) return walkLadder(asRecorded(delivery), requests);
    const ended = count(walk, 'attemptsMade', result);
    if (ended) return showEnd(delivery, ended, walk);
    // The delay counts from the failure, however late this workflow has learned of it.
    const foundDueInMs = result.type === 'recorded' ? result.dueInMs : undefined;
    waitMs = foundDueInMs ?? delayAfterAttempt(walk.attemptsMade) ?? 0;
    showFailure(walk, waitMs);
  }
  return showEnd(delivery, await exhaust(delivery), walk);
}

/** Counts an attempt that was made; answers what it ended the delivery with, if it did. */
function count(
  walk: Walk,
  counter: 'attemptsMade' | 'manualAttemptsMade',
  result: Awaited<ReturnType<typeof attempt>>,
): DeliveryStatus | undefined {
  if (result.type === 'stopped') return result.status;
  walk[counter] += 1;
  walk.last = result;
  return result.outcome === 'succeeded' ? 'delivered' : undefined;
}

/**
 * Sleeps until the ladder's next attempt is due. Meanwhile "retry now" makes an extra attempt whose failure leaves the
 * timer as it is and whose success ends the delivery, and "cancel" ends it unsent. Answers the status that it ended with, if it did.
 */
async function waitForRetry(
  delivery: DeliverEvent,
  requests: Requests,
  { walk, waitMs }: { walk: Walk; waitMs: number },
): Promise<DeliveryStatus | undefined> {
  let due = false;
  void sleep(waitMs, { summary: retryIn(walk, waitMs) }).then(() => (due = true));
  for (;;) {
    await condition(() => due || requests.waiting());
    const request = requests.take();
    if (request === 'cancel') return cancelDelivery(delivery);
    if (request === 'retryNow') {
      const result = await attempt(delivery, 'manual', walk.manualAttemptsMade + 1);
      const ended = count(walk, 'manualAttemptsMade', result);
      if (ended) return ended;
    } else if (due) {
      return undefined;
    }
  }
}

/** All attempts have failed: the variant decides. */
async function exhaust(delivery: DeliverEvent): Promise<DeliveryStatus | Disabling> {
  if (delivery.isTest) return 'failed';
  switch (delivery.variant) {
    case 'api':
      return disableWebhook(delivery);
    case 'dashboard':
      return dropDelivery(delivery);
    default:
      return unreachable(delivery.variant);
  }
}
