import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import { attemptsPerRound, delayAfterAttempt } from '../shared/deliveries/ladder.ts';
import type { DeliverEvent, DeliveryStatus } from '../shared/deliveries/types.ts';
import { unreachable } from '../shared/unreachable.ts';
import { attempt, cancelDelivery, disableWebhook, dropDelivery, loadRound } from './delivery/activities.ts';
import { listenForRequests, type Requests } from './delivery/requests.ts';
import { retryIn, showEnd, showFailure } from './delivery/view.ts';

/**
 * One round of a delivery: attempt 1 at once, then a retry 30 s, 1, 2, 4 and 8 minutes after the failure before it. When
 * all six have failed the variant decides: A's webhook is disabled and its owner told by e-mail, B's event is dropped to
 * the delivery log (specification 6.3 and 6.4). Answers the status that the delivery ended with.
 */
export async function deliverEvent(delivery: DeliverEvent): Promise<DeliveryStatus> {
  const requests = listenForRequests();
  return CancellationScope.nonCancellable(() => walkLadder(delivery, requests));
}

/** A round of which nothing is recorded yet. */
const fromTheStart = {
  status: 'pending',
  inProgress: true,
  attemptsMade: 0,
  manualAttemptsMade: 0,
  dueInMs: 0,
} as const;

async function walkLadder(delivery: DeliverEvent, requests: Requests): Promise<DeliveryStatus> {
  const progress = delivery.resumed ? await loadRound(delivery) : fromTheStart;
  if (!progress.inProgress) return showEnd(progress.status);

  let { dueInMs, manualAttemptsMade } = progress;
  const attempts = delivery.isTest ? 1 : attemptsPerRound;
  for (let number = progress.attemptsMade + 1; number <= attempts; number += 1) {
    if (dueInMs > 0) {
      const wait = await waitForRetry(delivery, requests, { number, dueInMs, manualAttemptsMade });
      if (wait.ended) return showEnd(wait.ended);
      manualAttemptsMade = wait.manualAttemptsMade;
    }
    const result = await attempt(delivery, 'scheduled', number);
    if (result.type === 'stopped') return showEnd(result.status);
    if (result.outcome === 'succeeded') return showEnd('delivered');
    dueInMs = delayAfterAttempt(number) ?? 0;
    showFailure(number, result, dueInMs);
  }
  return showEnd(await exhaust(delivery));
}

/**
 * Sleeps until the ladder's next attempt is due. Meanwhile "retry now" makes an extra attempt whose failure leaves the
 * timer as it is and whose success ends the delivery, and "cancel" ends it unsent.
 */
async function waitForRetry(
  delivery: DeliverEvent,
  requests: Requests,
  { number, dueInMs, manualAttemptsMade }: { number: number; dueInMs: number; manualAttemptsMade: number },
): Promise<{ ended?: DeliveryStatus; manualAttemptsMade: number }> {
  let due = false;
  void sleep(dueInMs, { summary: retryIn(number, dueInMs) }).then(() => (due = true));
  for (;;) {
    await condition(() => due || requests.waiting());
    const request = requests.take();
    if (request === 'cancel') return { ended: await cancelDelivery(delivery), manualAttemptsMade };
    if (request === 'retryNow') {
      manualAttemptsMade += 1;
      const result = await attempt(delivery, 'manual', manualAttemptsMade);
      if (result.type === 'stopped') return { ended: result.status, manualAttemptsMade };
      if (result.outcome === 'succeeded') return { ended: 'delivered', manualAttemptsMade };
    } else if (due) {
      return { manualAttemptsMade };
    }
  }
}

/** All attempts have failed: the variant decides. */
async function exhaust(delivery: DeliverEvent): Promise<DeliveryStatus> {
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
