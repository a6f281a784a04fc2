import type { ExchangeFailure } from '../platform/egress/exchange-failures.ts';
import type { FailureDetail } from '../platform/egress/failure-details.ts';
import type { EventName, Variant } from '../events/names.ts';

export const deliveryStatuses = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'dropped',
  'parked',
  'cancelled',
] as const;

/** Why a parked delivery may not be sent now. `awaiting_replay` means that it may, and waits for a replay. */
export const parkedReasons = ['webhook_disabled', 'plan_lapsed', 'awaiting_replay'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed: `status` for an answer that is no success, else the cause that there is no answer. */
export type FailureReason = 'status' | ExchangeFailure;

/** A `check` is the POST by which a re-enabling asks whether the endpoint is healthy. It is not counted as an attempt. */
export const attemptKinds = ['scheduled', 'manual', 'check'] as const;

export type AttemptKind = (typeof attemptKinds)[number];

/** Attempts of the ladder are numbered 1 to 6 in each round. Manual ones ("retry now") have numbers of their own. */
export type AttemptKey = {
  deliveryId: string;
  round: number;
  kind: 'scheduled' | 'manual';
  number: number;
};

/** The outcome of one POST. Only ids, numbers and enums, because it stands in Temporal's history. */
export type AttemptOutcome = {
  outcome: 'succeeded' | 'failed';
  reason?: FailureReason;
  /** Of a reason `tls` or `protocol`, where it is known. */
  detail?: FailureDetail;
  statusCode?: number;
  durationMs: number;
};

/**
 * `behind`: a later attempt of the ladder is recorded already. The workflow was reset, and goes on from that attempt. `dueInMs`: the attempt was
 * found recorded, and the next one is due so many ms later.
 */
export type RecordedAttempt = { type: 'recorded'; behind?: boolean; dueInMs?: number } & AttemptOutcome;

/** An attempt that was sent, but whose outcome could not be written. Its evidence is lost, because that may not stand in Temporal's history. */
export type UnrecordedAttempt = { startedAt: string; generation: number } & AttemptOutcome;

/**
 * The answer of the attempt activity. `unrecorded` was sent, but its outcome could not be written; the workflow has it recorded without another
 * POST. `stopped` was not sent, because the round is over or the delivery may not be sent.
 */
export type AttemptResult =
  | RecordedAttempt
  | ({ type: 'unrecorded' } & UnrecordedAttempt)
  | { type: 'stopped'; status: DeliveryStatus };

/** The input of the deliverEvent workflow: TypeIDs, numbers and enums, nothing private. */
export type DeliverEvent = {
  deliveryId: string;
  webhookId: string;
  eventName: EventName;
  variant: Variant;
  round: number;
  /** What the outbox's first attempt came to, where the workflow starts soon after it. Else the workflow reads the record. */
  first?: FirstOutcome | undefined;
  /** The outbox's first attempt, not recorded yet. */
  unrecorded?: UnrecordedAttempt;
  /** A test event is one attempt and settles nothing. */
  isTest: boolean;
  /** Go on from the recorded attempts. Processes of 0.3 have begun workflows without, which make the first attempt. */
  resumed: boolean;
  /** Such a workflow makes the first attempt inside its first task. */
  firstAttempt?: 'local' | 'ordinary';
  /** For processes of 0.3, which else show no failed attempts. */
  visible: boolean;
};

/** An attempt that was made before its workflow. `dueInMs`: the next one is due so many ms after the workflow's start. */
export type FirstOutcome = AttemptOutcome & { dueInMs?: number };

/** The answer of the workflow. `reason` and `status_code` are those of the last attempt. */
export type DeliveryEnd = { status: DeliveryStatus; reason?: FailureReason; status_code?: number };

/** The workflow deliverEvent. */
export type DeliverEventWorkflow = (delivery: DeliverEvent) => Promise<DeliveryEnd>;

/** The end of an exhausted delivery of variant A, and whether its webhook is disabled now. */
export type Disabling = { status: DeliveryStatus; webhookDisabled: boolean };

/** What is recorded of a round: attempts of the ladder and manual ones, how long until the next is due, in ms, and the last outcome. */
export type RoundProgress = {
  status: DeliveryStatus;
  inProgress: boolean;
  attemptsMade: number;
  manualAttemptsMade: number;
  dueInMs: number;
  /** The outcome of the latest attempt. */
  last?: AttemptOutcome | null;
};
