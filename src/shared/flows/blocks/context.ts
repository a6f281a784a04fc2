import type { z } from 'zod';
import type { FieldDefinition, FieldValue, Json } from '../../custom-fields/values.ts';
import type { EventName } from '../../facts/names.ts';
import type { toldAttachment } from '../../media/attachments.ts';
import type { Budget } from '../templating/budget.ts';
import type { Files } from '../templating/files.ts';

/** What a contact has sent with a message: a file, as events tell it, a location, or a contact card. */
export type ReplyAttachment = z.output<typeof toldAttachment>;

/** What `reply.…` means: the latest answer. */
export type Reply = { text: string; attachment?: ReplyAttachment };

/**
 * What a block may read, and all that it decides by. The engine makes one of rows, the simulator and tests of samples. Ids are TypeIDs,
 * as they are shown outside.
 */
export type BlockContext = {
  /** Which meaning the present block has: its kind's `v` when the version of the flow was published. */
  v: number;
  now: Date;
  account: { name: string; timeZone: string; defaultCountry: string | null };
  contact: ContactView;
  flow: { id: string; name: string };
  run: { id: string; startedAt: Date; params: Json; reply: Reply | null; event: Json | null };
  /** `tries` counts the answers to this ask that were not valid. */
  step: { number: number; visit: number; tries: number; enteredAt: Date };
  fields: ReadonlyMap<string, FieldDefinition>;
  /** The account's files whose ids are among these values, with links that were made for this context. */
  files?: Files;
  /** What the block may compute; the engine counts by it. */
  budget?: Budget;
};

/** What a block decides that would compute more than a block may. */
export const overBudget = { type: 'fail', reason: 'over_budget' } as const;

/** The `v` of a context that gives every block its newest meaning. */
export const newestMeaning = Infinity;

/** A contact as blocks see it. */
export type ContactView = {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  language: string | null;
  timeZone: string | null;
  externalId: string | null;
  /** The type of the channel that the contact used last. */
  channel: string;
  fields: Readonly<Record<string, FieldValue>>;
  tags: readonly string[];
};

/**
 * What a waiting block is told. `seq` orders the inputs of a run. An event that a block takes is what `event.…` means from then on: its
 * `data` is the object of docs/events.md, `{"tag": {"name": "vip"}}`.
 */
export type Input =
  | { type: 'reply'; seq: number; text: string; attachments?: readonly ReplyAttachment[] }
  | { type: 'event'; seq: number; name: EventName; data: Json; at: Date }
  | { type: 'child_ended'; seq: number; status: 'completed' | 'failed' | 'cancelled' }
  /** Agents have dealt with the contact, or nobody has in time. */
  | { type: 'handover_ended'; seq: number; status: 'resolved' | 'expired' }
  /** The result of the block's request. `fields` are the mapped ones, coerced already; null clears one. */
  | {
      type: 'request_ended';
      port: 'success' | 'error' | 'timeout';
      reason?: string | undefined;
      fields: readonly { key: string; value: FieldValue | null }[];
    }
  /** The wait's time has come. */
  | { type: 'due' };
