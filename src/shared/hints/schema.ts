import { z } from 'zod';
import type { Role } from '../accounts/schema.ts';
import { topicNames, type Topic } from '../facts/topics.ts';
import { exampleId } from '../ids.ts';

/** Of each topic the least role that may list it, and so may hear of it. */
export const roleOfTopic: Readonly<Record<Topic, Role>> = {
  webhooks: 'agent',
  deliveries: 'agent',
  events: 'agent',
  replays: 'agent',
  contacts: 'agent',
  orders: 'agent',
  conversations: 'agent',
  messages: 'agent',
  handovers: 'agent',
  flows: 'agent',
  runs: 'agent',
  tags: 'agent',
  'custom-fields': 'agent',
  'canned-replies': 'agent',
  channels: 'agent',
  credentials: 'editor',
  users: 'agent',
  sessions: 'agent',
  invitations: 'owner',
  'api-keys': 'owner',
  account: 'agent',
};

/** That something of a topic has changed, and is to be read again. */
export const hintBody = z
  .object({ topic: z.enum(topicNames) })
  .meta({ id: 'Hint', description: 'A page that shows something of the topic reads it again.' });

export type Hint = z.infer<typeof hintBody>;

/** That a conversation has come to a revision. */
export const conversationHintBody = z
  .object({
    id: z
      .string()
      .nullable()
      .meta({ description: 'null: any may have changed.', example: exampleId('conversation') }),
    revision: z.int().nullable(),
  })
  .meta({
    id: 'ConversationHint',
    description: 'A page that shows the conversation reads its changes after the revision that the page has.',
  });

export type ConversationHint = z.infer<typeof conversationHintBody>;

/** That a contact types, or does so no more. */
export const typingHintBody = z
  .object({ id: z.string().meta({ example: exampleId('conversation') }), is_typing: z.boolean() })
  .meta({
    id: 'TypingHint',
    description:
      'The contact of a conversation types: repeated every few seconds while that is so. A page shows it for ten seconds at most.',
  });

export type TypingHint = z.infer<typeof typingHintBody>;
