import { z } from 'zod';
import type { Role } from '../accounts/schema.ts';
import { topicNames, type Topic } from '../facts/topics.ts';
import type { ListedNoun } from '../ids.ts';

/** Of each topic the noun of its ids, and the least role that may list it. */
export const topics = {
  webhooks: { noun: 'webhook', role: 'agent' },
  deliveries: { noun: 'delivery', role: 'agent' },
  events: { noun: 'event', role: 'agent' },
  replays: { noun: 'replay', role: 'agent' },
  contacts: { noun: 'contact', role: 'agent' },
  orders: { noun: 'order', role: 'agent' },
  conversations: { noun: 'conversation', role: 'agent' },
  messages: { noun: 'message', role: 'agent' },
  handovers: { noun: 'handover', role: 'agent' },
  flows: { noun: 'flow', role: 'agent' },
  runs: { noun: 'run', role: 'agent' },
  tags: { noun: 'tag', role: 'agent' },
  'custom-fields': { noun: 'field', role: 'agent' },
  channels: { noun: 'channel', role: 'agent' },
  credentials: { noun: 'credential', role: 'editor' },
  users: { noun: 'user', role: 'agent' },
  sessions: { noun: 'session', role: 'agent' },
  invitations: { noun: 'invitation', role: 'owner' },
  'api-keys': { noun: 'apiKey', role: 'owner' },
  account: { noun: 'account', role: 'agent' },
} as const satisfies Record<Topic, { noun: ListedNoun; role: Role }>;

/** The most ids of a hint. */
export const idsPerHint = 50;

/** That something of a topic has changed, and is to be read again. */
export const hintBody = z
  .object({
    topic: z.enum(topicNames),
    ids: z.array(z.string()).max(idsPerHint).meta({ description: 'What has changed, as far as it is known.' }),
    more: z.boolean().meta({ description: 'Whether others have changed or gone, too.' }),
  })
  .meta({ id: 'Hint', description: 'A page that shows something of the topic reads it again.' });

export type Hint = z.infer<typeof hintBody>;
