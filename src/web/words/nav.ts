/** The navigation. */
export const navWords = {
  sections: { work: 'Messaging', automation: 'Automation', logs: 'Settings · Logs', settings: 'Settings' },
  pages: {
    overview: 'Overview',
    conversations: 'Conversations',
    contacts: 'Contacts',
    orders: 'Orders',
    flows: 'Flows',
    runs: 'Runs',
    credentials: 'Credentials',
    customFields: 'Custom fields',
    tags: 'Tags',
    channels: 'Channels',
    webhooks: 'Webhooks',
    testEndpoint: 'Test endpoint',
    apiKeys: 'API',
    users: 'Users',
    account: 'Account',
    profile: 'You',
    deliveries: 'Delivery log',
    replays: 'Replays',
    events: 'Events',
  },
} as const;

export type NavWords = keyof typeof navWords.pages;
