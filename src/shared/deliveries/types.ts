import type { ExchangeFailure } from '../platform/egress/exchange-failures.ts';
import type { TlsFailure } from '../platform/egress/tls-failures.ts';
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

/** What stands against sending a parked delivery; `awaiting_replay` when nothing does any more. */
export const parkedReasons = ['webhook_disabled', 'plan_lapsed', 'awaiting_replay'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed: `status` for an answer that does not count as success, else what kept the answer away. */
export type FailureReason = 'status' | ExchangeFailure;

/** A `check` is the POST by which a re-enabling asked whether the endpoint is healthy; it counts for nothing. */
export const attemptKinds = ['scheduled', 'manual', 'check'] as const;

export type AttemptKind = (typeof attemptKinds)[number];

/** The ladder's attempts count from 1 to 6 in each round; manual ones ("retry now") count by themselves. */
export type AttemptKey = {
  deliveryId: string;
  round: number;
  kind: 'scheduled' | 'manual';
  number: number;
  /** Failed, it fails its activity: the workflow reads that. */
  visible?: boolean;
};

/** What one POST came to; ids, numbers and enums only, for it stands in Temporal's history. */
export type AttemptOutcome = {
  outcome: 'succeeded' | 'failed';
  reason?: FailureReason;
  /** Of a reason `tls`, where it is known; results of version 0.2 have none. */
  detail?: TlsFailure;
  statusCode?: number;
  durationMs: number;
};

/** `behind` when a later attempt of the ladder is recorded already: the workflow was reset, and goes on from there. */
export type RecordedAttempt = { type: 'recorded'; behind?: boolean } & AttemptOutcome;

/**
 * What the attempt activity answers. `unrecorded` was sent but its outcome could not be written: the workflow has it
 * recorded without another POST. `stopped` was not sent: the delivery is not this round's to send any more.
 */
export type AttemptResult =
  | RecordedAttempt
  | ({ type: 'unrecorded'; startedAt: string; generation: number } & AttemptOutcome)
  | { type: 'stopped'; status: DeliveryStatus };

/** The input of the deliverEvent workflow: TypeIDs, numbers and enums, nothing private. */
export type DeliverEvent = {
  deliveryId: string;
  webhookId: string;
  eventName: EventName;
  variant: Variant;
  round: number;
  /** A local first attempt costs half the events and CPU; `ordinary` is for webhooks with many under way. */
  firstAttempt: 'local' | 'ordinary';
  /** Set when an earlier workflow of this round was lost: go on from the recorded attempts. */
  resumed: boolean;
  /** A test event is one attempt and settles nothing. */
  isTest: boolean;
  /** Failed attempts are failed activities, red in Temporal's UI; only where no process of 0.2 may get this workflow. */
  visible?: boolean;
};

/** What the workflow answers; `reason` and `status_code` are the last attempt's. Up to 0.2 it was the status alone. */
export type DeliveryEnd = { status: DeliveryStatus; reason?: FailureReason; status_code?: number };

/** The workflow deliverEvent. */
export type DeliverEventWorkflow = (delivery: DeliverEvent) => Promise<DeliveryEnd>;

/** What became of an exhausted delivery of variant A, and whether its webhook is disabled now. */
export type Disabling = { status: DeliveryStatus; webhookDisabled: boolean };

/** What is recorded of a round: attempts of the ladder and manual ones, how long until the next is due, in ms, and the last outcome. */
export type RoundProgress = {
  status: DeliveryStatus;
  inProgress: boolean;
  attemptsMade: number;
  manualAttemptsMade: number;
  dueInMs: number;
  /** The latest attempt's; 0.2 does not tell. */
  last?: AttemptOutcome | null;
};
