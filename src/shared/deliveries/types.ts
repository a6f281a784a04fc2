import type { ExchangeFailure } from '../platform/egress/exchange-failures.ts';
import type { FailureDetail } from '../platform/egress/failure-details.ts';
import type { EventName, Variant } from '../facts/names.ts';

export const deliveryStatuses = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'dropped',
  'parked',
  'cancelled',
] as const;

/** The obstacle for a parked delivery; `awaiting_replay` is none, and waits for a replay. */
export const parkedReasons = ['webhook_disabled', 'plan_lapsed', 'awaiting_replay'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The cause of a failure: `status` for a bad answer, else the cause of none. */
export type FailureReason = 'status' | ExchangeFailure;

/** A `check` is the POST of a re-enabling and does not count as an attempt. */
export const attemptKinds = ['scheduled', 'manual', 'check'] as const;

export type AttemptKind = (typeof attemptKinds)[number];

/** Attempts of the ladder are numbered 1 to 6 in each round. Manual ones ("retry now") have numbers of their own. */
export type AttemptKey = {
  deliveryId: string;
  round: number;
  kind: 'scheduled' | 'manual';
  number: number;
};

/** Has only ids, numbers and enums, because it stands in Temporal's history. */
export type AttemptOutcome = {
  outcome: 'succeeded' | 'failed';
  reason?: FailureReason;
  /** Of a reason `tls` or `protocol`, where it is known. */
  detail?: FailureDetail;
  statusCode?: number;
  durationMs: number;
};

/**
 * `behind`: a later attempt is recorded already, from which a workflow that was reset goes on. `dueInMs`: the attempt was
 * found recorded, and the next one is due in so many ms.
 */
export type RecordedAttempt = { type: 'recorded'; behind?: boolean; dueInMs?: number } & AttemptOutcome;

/** A sent attempt that could not be recorded. Its evidence is lost, because that may not stand in Temporal's history. */
export type UnrecordedAttempt = { startedAt: string; generation: number } & AttemptOutcome;

/**
 * The result of the attempt activity. The workflow has an `unrecorded` one recorded without another POST. A `stopped` one was not sent, because the
 * round is over or the delivery may not be sent.
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
  /** The outbox's first attempt, when the workflow starts soon after it; otherwise the workflow reads the record. */
  first?: FirstOutcome | undefined;
  /** The outbox's first attempt, when it is not recorded yet. */
  unrecorded?: UnrecordedAttempt;
  isTest: boolean;
  /** Go on from the recorded attempts. Processes of 0.3 have begun workflows without, which make the first attempt. */
  resumed: boolean;
  /** Such a workflow makes the first attempt inside its first task. */
  firstAttempt?: 'local' | 'ordinary';
  /** For processes of 0.3, which else show no failed attempts. */
  visible: boolean;
};

/** `dueInMs` counts from the workflow's start to the next attempt. */
export type FirstOutcome = AttemptOutcome & { dueInMs?: number };

/** The result of the workflow, with `reason` and `status_code` of the last attempt. */
export type DeliveryEnd = { status: DeliveryStatus; reason?: FailureReason; status_code?: number };

export type DeliverEventWorkflow = (delivery: DeliverEvent) => Promise<DeliveryEnd>;

export type Disabling = { status: DeliveryStatus; webhookDisabled: boolean };

export type RoundProgress = {
  status: DeliveryStatus;
  inProgress: boolean;
  attemptsMade: number;
  manualAttemptsMade: number;
  dueInMs: number;
  last?: AttemptOutcome | null;
};
