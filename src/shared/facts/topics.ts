import type { Talk } from './talked.ts';

/** What pages show, and read again when a fact touches it. */
export const topicNames = [
  'webhooks',
  'deliveries',
  'events',
  'replays',
  'contacts',
  'orders',
  'conversations',
  'messages',
  'handovers',
  'flows',
  'runs',
  'tags',
  'custom-fields',
  'canned-replies',
  'channels',
  'credentials',
  'users',
  'sessions',
  'invitations',
  'api-keys',
  'account',
] as const;

export type Topic = (typeof topicNames)[number];

/**
 * Told after each commit what has changed, by account, a UUID, and to which revisions conversations have come. It returns at once and never
 * throws.
 */
export type TellTopics = (changed: ReadonlyMap<string, ReadonlySet<Topic>>, talks?: readonly Talk[]) => void;

/** The same topics of several accounts. */
export const topicsOf = (
  accountIds: Iterable<string>,
  ...topics: readonly Topic[]
): ReadonlyMap<string, ReadonlySet<Topic>> => new Map(Array.from(accountIds, (id) => [id, new Set(topics)]));
