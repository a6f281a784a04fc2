/** The page that leads to all settings. */
export const words = {
  title: 'Settings',
  groups: { account: 'Account', developers: 'Developers', logs: 'Logs', you: 'You' },
  places: {
    account: { name: 'Account', hint: 'Name, time zone, phone numbers and handovers' },
    users: { name: 'Users', hint: 'Sign-in and roles' },
    channels: { name: 'Channels', hint: 'Ways for contacts to write to you' },
    cannedReplies: { name: 'Canned replies', hint: 'Texts that agents insert with /' },
    tags: { name: 'Tags', hint: 'Labels for contacts' },
    customFields: { name: 'Custom fields', hint: 'Your own data about contacts' },
    credentials: { name: 'Credentials', hint: 'Secrets that flows use for other services' },
    api: { name: 'API', hint: 'API keys and the Webhook Secret' },
    webhooks: { name: 'Webhooks', hint: 'Receivers of signed events' },
    deliveries: { name: 'Delivery', hint: 'Every attempt to deliver an event' },
    events: { name: 'Events', hint: 'All business events' },
    replays: { name: 'Replays', hint: 'Bulk re-sends of deliveries' },
    retries: { name: 'Retries', hint: 'Bulk retries of failed runs' },
    profile: { name: 'Profile', hint: 'Password, sessions and mails' },
  },
} as const;
