import { z } from 'zod';
import { asStored, codec, id, idOf, nullable, time, type RowOf } from '../codec.ts';
import { exampleId } from '../ids.ts';
import { failureDetails, sayFailure } from '../platform/egress/failure-details.ts';
import { channelDeclarations } from './channels/declarations.ts';
import { outboundStatuses } from './outbound/types.ts';

/** The most characters of a name that callers give a message. */
const clientRefAtMost = 255;

/** What the kind of channel takes of a message that takes most. */
const { limits } = channelDeclarations.api;

/** An outbound message. */
export const newMessage = z
  .strictObject({
    text: z.string().trim().min(1).max(limits.text),
    image_url: z
      .url({ protocol: /^https?$/, error: 'must be a http or https url' })
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
      'Why it is not sent, or why its last attempt failed: status, timeout, dns, refused_address, connect, tls, reset, protocol, unsubscribed, blocked.',
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

/** The most characters of its last message that a conversation shows. */
export const excerptLength = 200;

/** How many of its messages are looked at for those that no agent has read. */
export const unreadAtMost = 100;

/** The most characters of a note, and the most notes of a conversation. */
export const noteLimits = { text: 10_000, notes: 1_000 } as const;

const conversationStatuses = ['open', 'closed'] as const;

/** Who has an open conversation, as far as anybody has; a closed one is idle. */
const conversationStates = ['bot', 'handover', 'idle'] as const;

const lastMessage = codec({
  id: id('message'),
  direction: asStored(z.enum(['inbound', 'outbound'])),
  text: asStored(z.string().meta({ description: `Its first ${excerptLength} characters.` })),
  created_at: time(),
});

const conversation = codec({
  id: id('conversation'),
  contact_id: id('contact'),
  channel_id: id('channel'),
  status: asStored(z.enum(conversationStatuses)),
  state: asStored(
    z
      .enum(conversationStates)
      .meta({ description: 'bot: a flow talks with the contact. handover: people do. idle: nobody does.' }),
  ),
  assigned_to: nullable(id('user'), { description: 'The user who looks after it.' }),
  unread: asStored(
    z.int().meta({ description: `Messages of the contact that no agent has read, among the latest ${unreadAtMost}.` }),
  ),
  last_message: nullable({ schema: lastMessage.body, show: lastMessage.show }),
  created_at: time(),
  closed_at: nullable(time()),
});

export const conversationBody = conversation.body.meta({ id: 'Conversation' });

/** A conversation as it is stored; ids are UUIDs. */
export type ConversationRow = RowOf<typeof conversation>;

/** A conversation as the API shows it. */
export const showConversation = conversation.show;

/** The order of a list of conversations. */
export const conversationOrder = z.enum(['opened', 'latest_message']).default('opened').meta({
  description:
    'opened: open ones first, then the one opened last. latest_message: the one with the latest message first, open or closed.',
  default: 'opened',
});

/** Which conversations a list shows. */
export const conversationFilters = {
  status: z.enum(conversationStatuses).optional(),
  state: z
    .literal('handover')
    .optional()
    .meta({ description: 'handover: open ones whose contact people have taken over.' }),
  contact_id: idOf('contact', 'a contact').optional(),
  channel_id: idOf('channel', 'a channel').optional(),
  assigned_to: z
    .union([z.literal('none'), idOf('user', 'a user')])
    .optional()
    .meta({ description: 'A user, or none: those that nobody looks after.' }),
};

export const conversationChanges = z
  .strictObject({ assigned_to: idOf('user', 'a user').nullable() })
  .meta({ id: 'ConversationChanges', example: { assigned_to: exampleId('user') } });

export const newNote = z
  .strictObject({ text: z.string().trim().min(1).max(noteLimits.text) })
  .meta({ id: 'NewNote', example: { text: 'Asked for the invoice twice.' } });

const note = codec({
  id: id({ name: 'note', prefix: 'note' }),
  conversation_id: id('conversation'),
  user_id: nullable(id('user'), { description: 'The user who wrote it; null when an API key did.' }),
  text: asStored(z.string()),
  created_at: time(),
});

export const noteBody = note.body.meta({ id: 'Note' });

/** A note as it is stored; ids are UUIDs. */
export type NoteRow = RowOf<typeof note>;

/** A note as the API shows it. */
export const showNote = note.show;
