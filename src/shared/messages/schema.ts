import { z } from 'zod';
import type { LinkTo } from '../media/schema.ts';
import { attachment, givenFiles, saysSomething, showAttachment, type StoredAttachment } from '../media/attachments.ts';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { failureDetails, sayFailure } from '../platform/egress/failure-details.ts';
import { exampleId } from '../ids.ts';
import { messageLimits } from '../flows/blocks/message-limits.ts';
import { revisionOfRow } from './conversations/changes/revision-field.ts';
import { outboundStatuses } from './outbound/types.ts';
import { sentBy } from './sent-by.ts';

/** The most characters of a name that callers give a message. */
const clientRefAtMost = 255;

/** What messages over any channel have at most; a kind of channel may take less. */
const limits = messageLimits;

const messageFields = z.strictObject({
  text: z.string().trim().max(limits.text).meta({ description: 'May be "" where there are attachments.' }),
  image_url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(limits.url)
    .optional()
    .meta({ description: 'An http or https url. Parley does not open it.' }),
  quick_replies: z
    .array(z.string().trim().min(1).max(limits.quickReply))
    .max(limits.quickReplies)
    .optional()
    .meta({ description: 'Answers to choose from.' }),
  attachments: givenFiles.optional(),
  channel_id: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'If omitted, the channel on which the contact wrote last.' }),
  client_ref: z.string().min(1).max(clientRefAtMost).optional().meta({
    description: 'Your own name for the message. A repeated name creates no message and returns the first one.',
  }),
});

/** An outbound message. */
export const newMessage = saysSomething(messageFields).meta({
  id: 'NewMessage',
  example: { text: 'Which size?', quick_replies: ['S', 'M', 'L'], client_ref: 'order-17' },
});

export type NewMessage = z.infer<typeof newMessage>;

const orNull = nullable(asStored(z.string()));

const message = codec({
  id: id('message'),
  contact_id: id('contact'),
  conversation_id: id('conversation'),
  channel_id: id('channel'),
  direction: asStored(z.enum(['inbound', 'outbound'])),
  text: asStored(z.string()),
  image_url: orNull,
  quick_replies: asStored(z.array(z.string())),
  status: nullable(asStored(z.enum(outboundStatuses)), {
    description:
      'For an outbound message: queued, sent, failed (refused or never sent), unknown (sent, without a response), or withdrawn (an agent answered first).',
  }),
  reason: nullable(asStored(z.string()), {
    description:
      "Why it was not sent, or why its last attempt failed: status, timeout, dns, refused_address, connect, tls, reset, protocol, never_wrote (the contact has to write first on this channel), file_missing (a file of it is not there), blocked_by_contact (it wants nothing over this channel until it writes), unsubscribed, blocked, channel_deleted, over_limits (exceeds the channel's limits), put_off (the channel accepted no messages for a day).",
  }),
  detail: nullable(asStored(z.enum(failureDetails)), {
    description: "The server's exact fault, for the reason `tls`, and for `protocol` if known.",
  }),
  status_code: nullable(asStored(z.int()), { description: 'The response code of its last attempt.' }),
  attempts_made: nullable(asStored(z.int())),
  next_attempt_at: nullable(time()),
  client_ref: orNull,
  run_id: nullable(id('run'), { description: 'The run, if a flow sent the message.' }),
  sent_by: nullable(sentBy, {
    description: 'For an outbound message: who wrote it. For one from before 0.4, `api` also stands for users.',
  }),
  routed_to: nullable(asStored(z.record(z.string(), z.unknown())), {
    description:
      'For an inbound message: the flow or run that got it, or why none did (flows.md, Runs). Changes when a run takes or skips a kept message.',
  }),
  created_at: time(),
  edited_at: nullable(time(), {
    description:
      'For an inbound message: when the contact changed it last, if the channel reports it. No event follows.',
  }),
  sent_at: nullable(time(), { description: 'For an outbound message: when the channel accepted it.' }),
  read_at: nullable(time(), {
    description: 'For an outbound message: when the contact read it, if the channel reports it.',
  }),
  revision: revisionOfRow('the message changed last'),
});

export const messageBody = message.body
  .extend({
    attachments: z.array(attachment),
    explanation: z.string().nullable().meta({ description: 'The `detail` in words.' }),
  })
  .meta({ id: 'Message' });

/** A message as it is stored; ids are UUIDs. */
export type MessageRow = RowOf<typeof message> & { attachments: readonly StoredAttachment[] };

/** A message as the API shows it. */
export const showMessage = (row: MessageRow, linkTo: LinkTo): z.infer<typeof messageBody> => ({
  ...message.show(row),
  attachments: row.attachments.map((stored) => showAttachment(stored, linkTo)),
  explanation: row.detail && sayFailure(row.detail),
});

/** When a snooze ends. */
export const snoozeTime = z.iso
  .datetime({ offset: true })
  .max(64)
  .transform((text) => new Date(text));

/** What an agent answers in a conversation. */
export const newReply = saysSomething(
  messageFields.omit({ channel_id: true }).extend({
    client_ref: z.string().min(1).max(clientRefAtMost).meta({
      description: 'Your own name for the message. A repeated name sends nothing and returns the first one.',
    }),
    seen_revision: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
      description:
        'The revision you have seen: 409 where another user has answered since; messages after it stay unread.',
    }),
    next: z
      .union([z.literal('close'), z.strictObject({ snooze_until: snoozeTime })])
      .optional()
      .meta({
        description:
          'What becomes of the conversation: it is closed, or snoozed until a time. Left out where the contact has written since `seen_revision`.',
      }),
  }),
).meta({ id: 'NewReply', example: { text: 'It ships today.', client_ref: exampleId('message'), seen_revision: 17 } });

export type NewReply = z.infer<typeof newReply>;
