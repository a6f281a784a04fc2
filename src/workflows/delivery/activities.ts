import { proxyActivities, proxyLocalActivities, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { readAttemptFailed } from '../../shared/deliveries/attempt-failed.ts';
import type {
  AttemptKey,
  AttemptResult,
  DeliverEvent,
  DeliveryStatus,
  Disabling,
  RoundProgress,
} from '../../shared/deliveries/types.ts';
import { summarize } from './view.ts';

/** The ten seconds of the exchange, and the time for its bookkeeping. */
const attemptTimeout = '15 s';

/** Our own faults, such as an absent database, are retried until they are mended. A delivery's failure is a result and no fault. */
const untilMended = { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' } as const;

const record = proxyActivities<Activities>({ startToCloseTimeout: '10 s', retry: untilMended });

/** What was done of a round before this workflow. An attempt that was sent and not recorded is recorded first. */
export const loadRound = async (delivery: DeliverEvent): Promise<RoundProgress> => {
  const { unrecorded } = delivery;
  if (unrecorded) await record.recordAttempt({ ...roundOf(delivery), kind: 'scheduled', number: 1 }, unrecorded);
  return record.loadRound(roundOf(delivery));
};

/** Its summary is written before it is known what it comes to. */
const disable = proxyActivities<Activities>({
  startToCloseTimeout: '10 s',
  retry: untilMended,
  summary: 'decides whether to disable the webhook',
});

/** A, exhausted: the webhook is disabled and one e-mail goes out, if its failures were consecutive. */
export const disableWebhook = (delivery: DeliverEvent): Promise<DeliveryStatus | Disabling> =>
  disable.disableWebhook(roundOf(delivery));

/** B, exhausted: the event is dropped to the delivery log. */
export const dropDelivery = (delivery: DeliverEvent): Promise<DeliveryStatus> => record.dropDelivery(roundOf(delivery));

/** Cancelled while it slept. */
export const cancelDelivery = (delivery: DeliverEvent): Promise<DeliveryStatus> =>
  record.cancelDelivery(roundOf(delivery));

/**
 * Makes one attempt. An outcome that could not be recorded after the POST is recorded here, without another POST.
 */
export const attempt = async (
  delivery: DeliverEvent,
  kind: AttemptKey['kind'],
  number: number,
): Promise<Exclude<AttemptResult, { type: 'unrecorded' }>> => {
  const key: AttemptKey = { ...roundOf(delivery), kind, number };
  const result = await post(delivery, key);
  return result.type === 'unrecorded' ? record.recordAttempt(key, result) : result;
};

/** Of a workflow that 0.3 has begun, the first attempt may be a local activity. When it cannot be made so, it is made as an ordinary one. */
const post = async (delivery: DeliverEvent, key: AttemptKey): Promise<AttemptResult> => {
  const options = { startToCloseTimeout: attemptTimeout, summary: summarize(key) } as const;
  const first = key.kind === 'scheduled' && key.number === 1;
  if (first && delivery.firstAttempt === 'local' && !delivery.resumed) {
    try {
      const local = proxyLocalActivities<Activities>({ ...options, retry: { maximumAttempts: 1 } });
      return await resultOf(local.attemptDelivery(key));
    } catch (error) {
      // A local activity's fault comes unwrapped. Any other error is a fault of this code and fails the task.
      if (!(error instanceof TemporalFailure)) throw error;
    }
  }
  const { priority } = workflowInfo();
  const ordinary = proxyActivities<Activities>({ ...options, retry: untilMended, ...(priority && { priority }) });
  return resultOf(ordinary.attemptDelivery(key));
};

/** The activity of a failed attempt has failed with the result. */
const resultOf = async (attempting: Promise<AttemptResult>): Promise<AttemptResult> => {
  try {
    return await attempting;
  } catch (error) {
    const failed = readAttemptFailed(error);
    if (failed) return failed;
    throw error;
  }
};

const roundOf = ({ deliveryId, round }: DeliverEvent) => ({ deliveryId, round });
