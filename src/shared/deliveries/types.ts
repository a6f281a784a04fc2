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

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed: `status` for an answer that does not count as success, else what kept the answer away. */
export type FailureReason = 'status' | 'timeout' | 'dns' | 'refused_address' | 'connect' | 'tls' | 'reset' | 'protocol';

/** The ladder's attempts count from 1 to 6 in each round; manual ones ("retry now") count by themselves. */
export type AttemptKey = { deliveryId: string; round: number; kind: 'scheduled' | 'manual'; number: number };

/** What one POST came to; ids, numbers and enums only, for it stands in Temporal's history. */
export type AttemptOutcome = {
  outcome: 'succeeded' | 'failed';
  reason?: FailureReason;
  statusCode?: number;
  durationMs: number;
};

/**
 * What the attempt activity answers. `unrecorded` was sent but its outcome could not be written: the workflow has it
 * recorded without another POST. `stopped` was not sent: the delivery is not this round's to send any more.
 */
export type AttemptResult =
  | ({ type: 'recorded' } & AttemptOutcome)
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
};

/** What is recorded of a round: attempts of the ladder and manual ones, and how long until the next is due, in ms. */
export type RoundProgress = {
  status: DeliveryStatus;
  inProgress: boolean;
  attemptsMade: number;
  manualAttemptsMade: number;
  dueInMs: number;
};
