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
  'channels',
  'credentials',
  'users',
  'sessions',
  'invitations',
  'api-keys',
  'account',
] as const;

export type Topic = (typeof topicNames)[number];
