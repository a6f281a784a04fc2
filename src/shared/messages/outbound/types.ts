import type { SendFailure } from '../channels/kind.ts';
import type { FailureDetail } from '../../platform/egress/failure-details.ts';

/** `unknown`: it was sent, and nobody knows whether it arrived. `withdrawn`: an agent has answered before it was sent. */
export const outboundStatuses = ['queued', 'sent', 'failed', 'unknown', 'withdrawn'] as const;

export type OutboundStatus = (typeof outboundStatuses)[number];

/** Why a message is not sent: what its last attempt met, or what stands against sending to its contact. */
export type OutboundReason =
  | SendFailure
  | 'unsubscribed'
  | 'blocked'
  | 'blocked_by_contact'
  | 'channel_deleted'
  | 'over_limits'
  | 'put_off';

/** What a message ends as. */
export type EndStatus = Exclude<OutboundStatus, 'queued'>;

/** How many messages ended as what, by their slots; those that were withdrawn after an attempt count as none. */
export type Ended = Record<Exclude<EndStatus, 'withdrawn'>, number>;

/**
 * The input of the workflow sendMessages: ids and numbers. `ended` counts the messages before by their ends, where it continues as new. `unrecorded` is
 * an outcome that an outbox could not record, and `from` its process, a UUID, which has the lane until then.
 */
export type SendMessages = {
  sendingId: string;
  resumes: number;
  ended?: Ended;
  from?: string;
  unrecorded?: AttemptAtMessage;
};

/** The workflow sendMessages. */
export type SendMessagesWorkflow = (sending: SendMessages) => Promise<Ended>;

/** The attempt `number` (from 1) at a message, which is a TypeID. */
type MessageAttempt = { messageId: string; number: number };

/** What an attempt came to; ids, numbers and enums only, for it stands in Temporal's history. */
export type AttemptAtMessage = MessageAttempt & {
  /** `part`: a part has arrived, and others follow. */
  outcome: 'sent' | 'part' | 'failed';
  /** The place of the part that has arrived, from 0. */
  part?: number;
  reason?: SendFailure;
  detail?: FailureDetail;
  statusCode?: number;
  /** It was sent, and no answer came. */
  unanswered?: boolean;
  /** It was refused for good: there is no next attempt. */
  final?: boolean;
  /** The id that the channel's service has given the message. */
  ref?: string;
  /** The contact wants nothing over the channel until it writes again. */
  blocksContact?: boolean;
};

/**
 * What a slot came to. `ended`: the message has its final status; `more` of them wait. `wait`: its next attempt is due later. `unrecorded`: it
 * was sent but its outcome could not be written, so the workflow hands it in again. `unsent`: nothing was sent, and the slot could not be given back, so the
 * workflow has that done. `over`: nothing is left to send, or another workflow does it.
 */
export type Slot =
  | ({ type: 'ended'; status: EndStatus; more: boolean } & SlotOutcome)
  | ({ type: 'wait'; dueInMs: number } & SlotOutcome)
  | { type: 'unrecorded'; attempt: AttemptAtMessage }
  | ({ type: 'unsent' } & Unsent)
  | { type: 'over' };

/** The message, the attempts that were made at it, and what the last one met. */
export type SlotOutcome = {
  messageId: string;
  attemptsMade: number;
  reason?: OutboundReason;
  statusCode?: number;
  /** How many parts have arrived, where the next one is due. */
  partsSent?: number;
};

/** A message whose attempt has begun, at a time of ISO 8601, and sent nothing; it is to be tried again in so many ms. */
export type Unsent = { messageId: string; attemptsMade: number; dueInMs: number; begunAt: string };

/** What the workflow tells of its next slot: the attempt that it has waited for, and an outcome that is to be recorded, or a slot to be given back, first. */
export type NextSlot = { due?: MessageAttempt; unrecorded?: AttemptAtMessage; unsent?: Unsent };
