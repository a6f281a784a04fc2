import { plural } from './numbers.ts';

/** The navigation. */
export const navWords = {
  sections: { work: 'Work', developers: 'Developers', settings: 'Settings' },
  logs: 'Logs',
  pages: {
    overview: 'Overview',
    inbox: 'Inbox',
    conversations: 'All conversations',
    handovers: 'Handovers',
    contacts: 'Contacts',
    orders: 'Orders',
    flows: 'Flows',
    runs: 'Runs',
    credentials: 'Credentials',
    customFields: 'Custom fields',
    cannedReplies: 'Canned replies',
    tags: 'Tags',
    channels: 'Channels',
    webhooks: 'Webhooks',
    testEndpoint: 'Test endpoint',
    apiKeys: 'API keys',
    apiReference: 'API reference',
    users: 'Users',
    account: 'Account',
    profile: 'Profile',
    deliveries: 'Delivery log',
    replays: 'Replays',
    retries: 'Retries',
    events: 'Events',
  },
  unread: (count: number, number: string) =>
    plural(count, { one: `${number} unread conversation`, other: `${number} unread conversations` }),
  waiting: (count: number, number: string) =>
    plural(count, { one: `${number} contact is waiting`, other: `${number} contacts are waiting` }),
} as const;

export type NavWords = keyof typeof navWords.pages;
