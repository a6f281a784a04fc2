import { applyRetention, type RetentionDeps } from './apply-retention.ts';
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.ts';
import { disableWebhook, type DisableDeps } from './disable-webhook.ts';
import { cancelDelivery, dropDelivery, loadRound } from './end-delivery.ts';
import { callThirdParty, type ThirdPartyDeps } from './call-third-party.ts';
import { failVisibly } from './fail-visibly.ts';
import { recordLateAttempt } from './record-attempt.ts';
import { replayBatches, stopReplay, type ReplayDeps } from './replay-batches.ts';
import { retryBatches, stopRetry } from './retry-batches.ts';
import { advanceRun, cancelRun, type RunDeps } from './run-flow.ts';
import { sendMail, type MailDeps } from './send-mail.ts';
import { sendNextMessage, type LaneDeps } from './send-next-message.ts';

export type ActivityDeps = AttemptDeps &
  DisableDeps &
  MailDeps &
  LaneDeps &
  ReplayDeps &
  RetentionDeps &
  RunDeps &
  ThirdPartyDeps;

/** The activities of all workflows. Each is idempotent and says how. They throw for our own faults, and for attempts that fail visibly. */
export const createActivities = (deps: ActivityDeps) => ({
  attemptDelivery: failVisibly(attemptDelivery(deps)),
  recordAttempt: recordLateAttempt(deps),
  loadRound: loadRound(deps),
  cancelDelivery: cancelDelivery(deps),
  dropDelivery: dropDelivery(deps),
  disableWebhook: disableWebhook(deps),
  sendMail: sendMail(deps),
  sendNextMessage: sendNextMessage(deps),
  advanceRun: advanceRun(deps),
  cancelRun: cancelRun(deps),
  callThirdParty: callThirdParty(deps),
  replayBatches: replayBatches(deps),
  stopReplay: stopReplay(deps),
  retryBatches: retryBatches(deps),
  stopRetry: stopRetry(deps),
  applyRetention: applyRetention(deps),
});

export type Activities = ReturnType<typeof createActivities>;
