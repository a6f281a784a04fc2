import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { failureDetails, sayFailure } from '../platform/egress/failure-details.ts';
import { messageLimits } from '../flows/blocks/message-limits.ts';
import { outboundStatuses } from './outbound/types.ts';

/** The most characters of a name that callers give a message. */
const clientRefAtMost = 255;

/** What messages over any channel have at most; a kind of channel may take less. */
const limits = messageLimits;

/** An outbound message. */
export const newMessage = z
  .strictObject({
    text: z.string().trim().min(1).max(limits.text),
    image_url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(limits.url)
      .optional()
      .meta({ description: 'A http or https url. Parley does not open it.' }),
    quick_replies: z
      .array(z.string().trim().min(1).max(limits.quickReply))
      .max(limits.quickReplies)
      .optional()
      .meta({ description: 'Answers to choose from.' }),
    channel_id: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'The channel that the contact wrote on last when not given.' }),
    client_ref: z.string().min(1).max(clientRefAtMost).optional().meta({
      description:
        'Your own name for the message. The same one again makes no other message: it is answered with the first one.',
    }),
  })
  .meta({ id: 'NewMessage', example: { text: 'Which size?', quick_replies: ['S', 'M', 'L'], client_ref: 'order-17' } });

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
      'Of an outbound one: queued, sent, failed (refused, or nothing was ever sent), or unknown (it was sent, and no answer came).',
  }),
  reason: nullable(asStored(z.string()), {
    description:
      'Why it is not sent, or why its last attempt failed: status, timeout, dns, refused_address, connect, tls, reset, protocol, unsubscribed, blocked, channel_deleted, over_limits (more than the channel takes), put_off (the channel took no messages for a day).',
  }),
  detail: nullable(asStored(z.enum(failureDetails)), {
    description: 'What exactly was wrong with the server: of the reason `tls`, and of `protocol` where it is known.',
  }),
  status_code: nullable(asStored(z.int()), { description: 'What its last attempt was answered.' }),
  attempts_made: nullable(asStored(z.int())),
  next_attempt_at: nullable(time()),
  client_ref: orNull,
  run_id: nullable(id('run'), { description: 'Of an outbound one that a flow sent: the run.' }),
  routed_to: nullable(asStored(z.record(z.string(), z.unknown())), {
    description:
      'Of an inbound one: which flow or run got it, or why none did (flows.md, Runs). It changes when a run takes what it kept, or passes it over.',
  }),
  created_at: time(),
  sent_at: nullable(time(), { description: 'Of an outbound one: when the channel took it.' }),
  read_at: nullable(time(), { description: 'Of an outbound one: when the contact read it, where the channel tells.' }),
});

export const messageBody = message.body
  .extend({ explanation: z.string().nullable().meta({ description: 'The `detail` in words.' }) })
  .meta({ id: 'Message' });

/** A message as it is stored; ids are UUIDs. */
export type MessageRow = RowOf<typeof message>;

/** A message as the API shows it. */
export const showMessage = (row: MessageRow): z.infer<typeof messageBody> => ({
  ...message.show(row),
  explanation: row.detail && sayFailure(row.detail),
});
