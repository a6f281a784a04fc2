/** The page that leads to all settings. */
export const words = {
  title: 'Settings',
  groups: { account: 'Account', developers: 'Developers', logs: 'Logs', you: 'You' },
  places: {
    account: { name: 'Account', hint: 'Name, time zone, phone numbers and handovers' },
    users: { name: 'Users', hint: 'Who signs in, and what they may do' },
    channels: { name: 'Channels', hint: 'Where contacts write to you' },
    tags: { name: 'Tags', hint: 'Labels for contacts' },
    customFields: { name: 'Custom fields', hint: 'What you keep about contacts' },
    credentials: { name: 'Credentials', hint: 'Secrets that flows use for other services' },
    api: { name: 'API', hint: 'API keys and the Webhook Secret' },
    webhooks: { name: 'Webhooks', hint: 'Where signed events go' },
    deliveries: { name: 'Delivery', hint: 'Every attempt to deliver an event' },
    events: { name: 'Events', hint: 'What happened to contacts' },
    replays: { name: 'Replays', hint: 'Bulk re-sends of deliveries' },
    profile: { name: 'Profile', hint: 'Password, sessions and mails' },
  },
} as const;
