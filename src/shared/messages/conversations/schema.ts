import { z } from 'zod';
import { asStored, codec, id, idOf, nullable, time, type RowOf } from '../../codec.ts';
import { externalIdLength } from '../../contacts/schema.ts';
import { exampleId } from '../../ids.ts';
import { tagName } from '../../tags/schema.ts';
import { sentBy } from '../sent-by.ts';
import { revisionOfRow } from './changes/revision-field.ts';

/** The most characters of its last message that a conversation shows. */
export const excerptLength = 200;

/** How many of its messages are looked at for those that no agent has read. */
export const unreadAtMost = 100;

/** The most characters of a note, and the most notes of a conversation. */
export const noteLimits = { text: 10_000, notes: 1_000 } as const;

const conversationStatuses = ['open', 'closed'] as const;

/** Who has an open conversation, as far as anybody has; a closed one is idle. */
const conversationStates = ['bot', 'handover', 'idle'] as const;

/** Who has a conversation: exactly one of them. */
const owners = ['bot', 'waiting', 'agent'] as const;

const lastMessage = codec({
  id: id('message'),
  direction: asStored(z.enum(['inbound', 'outbound'])),
  text: asStored(z.string().meta({ description: `Its first ${excerptLength} characters.` })),
  sent_by: nullable(sentBy, { description: 'As `sent_by` of messages: null where the contact wrote it.' }),
  created_at: time(),
});

const foundMessage = codec({
  id: id('message'),
  text: asStored(z.string().meta({ description: `${excerptLength} characters around the first word that was found.` })),
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
      .meta({ description: 'bot: a flow handles the contact. handover: agents do. idle: neither.' }),
  ),
  owner: asStored(
    z.enum(owners).meta({
      description: 'agent: it is assigned. waiting: its open handover is not taken yet. bot: neither.',
    }),
  ),
  assigned_to: nullable(id('user'), { description: 'The user who looks after it, and has its open handover.' }),
  assigned_by_other_at: nullable(time(), {
    description: 'When somebody else, or an API key, assigned it to this user; null where the user took it.',
  }),
  waiting_since: nullable(time(), { description: 'Since when it waits for an agent.' }),
  snoozed_until: nullable(time(), { description: 'A message of the contact ends it before.' }),
  unread: asStored(
    z.int().meta({ description: `Messages of the contact that no agent has read, among the latest ${unreadAtMost}.` }),
  ),
  last_message: nullable({ schema: lastMessage.body, show: lastMessage.show }),
  found_message: nullable(
    { schema: foundMessage.body, show: foundMessage.show },
    {
      description:
        'Its latest message with the words of `search`; null where the contact was found, and without a search.',
    },
  ),
  created_at: time(),
  closed_at: nullable(time()),
  revision: asStored(
    z.int().meta({ description: 'Counts up with each change of the conversation, its messages, notes and acts.' }),
  ),
});

export const conversationBody = conversation.body.meta({ id: 'Conversation' });

/** A conversation as it is stored; ids are UUIDs. */
export type ConversationRow = RowOf<typeof conversation>;

/** A conversation as the API shows it. */
export const showConversation = conversation.show;

/** The order of a list of conversations. */
export const conversationOrder = z.enum(['opened', 'latest_message', 'waiting_longest']).default('opened').meta({
  description:
    'opened: open ones first, then the one opened last. latest_message: the one with the latest message first, open or closed. waiting_longest: only those that wait for an agent.',
  default: 'opened',
});

/** Which conversations a list shows. */
export const conversationFilters = {
  status: z.enum(conversationStatuses).optional(),
  state: z.literal('handover').optional().meta({ description: 'handover: open ones with an open handover.' }),
  contact_id: idOf('contact', 'a contact').optional(),
  channel_id: idOf('channel', 'a channel').optional(),
  assigned_to: z
    .union([z.literal('none'), idOf('user', 'a user')])
    .optional()
    .meta({ description: 'A user, or `none` for unassigned ones.' }),
  owner: z.enum(owners).optional().meta({ description: 'agent, waiting or bot, as `owner` of a conversation.' }),
  snoozed: z.enum(['true', 'false']).optional().meta({ description: 'Those that are snoozed now, or the others.' }),
  search: z.string().min(1).max(externalIdLength).optional().meta({
    description:
      'Only those of the first hundred contacts that `search` of contacts finds, and the hundred latest with a message that has all these words, the last one as a beginning from three characters on. Letter case and accents do not count.',
  }),
  tag: tagName.optional().meta({ description: 'Those whose contact has this tag, in any letter case.' }),
  draft: z.literal('mine').optional().meta({ description: 'Those in which you have a draft; for users only.' }),
};

/** To whom a conversation is assigned, and the assignment that this replaces. */
export const assignment = {
  assigned_to: idOf('user', 'a user').nullable(),
  if_assigned_to: idOf('user', 'a user').nullable().optional().meta({
    description: 'Refuses a conversation that is assigned to someone else now. `null`: unless it is unassigned.',
  }),
};

export const conversationChanges = z
  .strictObject(assignment)
  .meta({ id: 'ConversationChanges', example: { assigned_to: exampleId('user') } });

/** Up to where a conversation was read; all of it where there is no body. */
export const reading = z
  .strictObject({
    revision: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
      description: 'The revision you have seen: later messages stay unread. Without it, all present messages are read.',
    }),
  })
  .prefault({})
  .meta({ id: 'Reading', example: { revision: 17 } });

export const newNote = z
  .strictObject({ text: z.string().trim().min(1).max(noteLimits.text) })
  .meta({ id: 'NewNote', example: { text: 'Asked for the invoice twice.' } });

const note = codec({
  id: id({ name: 'note', prefix: 'note' }),
  conversation_id: id('conversation'),
  user_id: nullable(id('user'), { description: 'The user who wrote it; null when an API key did.' }),
  text: asStored(z.string()),
  created_at: time(),
  revision: revisionOfRow('it was written'),
});

export const noteBody = note.body.meta({ id: 'Note' });

/** A note as it is stored; ids are UUIDs. */
export type NoteRow = RowOf<typeof note>;

/** A note as the API shows it. */
export const showNote = note.show;
