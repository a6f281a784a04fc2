/** The topics that a message names; none for one that cannot be read. */
export const readHint = (data: unknown): string[] => {
  if (typeof data !== 'string') return [];
  try {
    const read: unknown = JSON.parse(data);
    const isHint = typeof read === 'object' && read !== null && 'topic' in read;
    return isHint && typeof read.topic === 'string' ? [read.topic] : [];
  } catch {
    return [];
  }
};

/** What shows a topic beside its own paths. */
const beside: Readonly<Record<string, readonly string[]>> = {
  deliveries: ['/webhooks', '/overview', '/statistics', '/replays/preview'],
  webhooks: ['/overview'],
  messages: [
    '/conversations',
    '/inbox',
    '/contacts/{id}/messages',
    '/contacts/{id}/timeline',
    '/overview/waiting',
    '/runs/{id}/messages',
  ],
  // Somebody has read, closed or opened one.
  conversations: ['/inbox', '/overview/waiting'],
  // Not all of a flow: its draft, for one, is not changed by runs, and is long.
  runs: [
    '/retries',
    '/flows/{id}/failures',
    '/flows/{id}/counts',
    '/flows/{id}/stats',
    '/flows/{id}/analytics',
    '/contacts',
    '/conversations',
    '/overview',
  ],
  contacts: ['/overview'],
  flows: ['/triggers'],
  orders: ['/contacts'],
  handovers: ['/conversations', '/inbox', '/overview'],
  tags: ['/contacts'],
  channels: ['/overview'],
  credentials: ['/overview'],
  // Whoever accepts an invitation becomes a user.
  users: ['/invitations', '/session', '/notification-settings'],
  'api-keys': ['/overview'],
  events: ['/statistics'],
  account: ['/handover-settings', '/session'],
};

/** The beginnings of the API's paths whose answers a topic changes. */
export const pathsOf = (topic: string): string[] => [`/${topic}`, ...(beside[topic] ?? [])];
