import type { EventName, Variant } from '../../events/names.ts';

/** A delivery's round that a workflow shall carry; ids are UUIDs. */
export type DeliveryDispatch = {
  type: 'delivery';
  deliveryId: string;
  accountId: string;
  webhookId: string;
  contactId: string | null;
  eventName: EventName;
  variant: Variant;
  round: number;
  /** Workflows of this round that were lost before. */
  resumes: number;
  /** Something of this round is recorded already: go on from there. */
  resumed: boolean;
  isTest: boolean;
};

/** A mail that a workflow shall send; ids are UUIDs. */
export type MailDispatch = { type: 'mail'; mailId: string; accountId: string; resumes: number };

/** A bulk replay that a workflow shall carry; ids are UUIDs, `total` and `pace` are for its summary. */
export type ReplayDispatch = {
  type: 'replay';
  replayId: string;
  accountId: string;
  webhookId: string | null;
  total: number;
  pace: number;
  /** Workflows of this replay before this one. */
  resumes: number;
};

/** What a transaction asks of Temporal: carried out after its commit, swept up if that was not to be. */
export type DispatchRequest = DeliveryDispatch | MailDispatch | ReplayDispatch;
