/** What each role may do. */
export const userWords = {
  name: 'Name',
  nameHint: 'Shown to colleagues instead of the e-mail address.',
  may: {
    agent: 'Works with contacts, conversations and handovers. Cannot see request and event bodies.',
    editor: 'Does all that agents do, and changes flows, webhooks, channels and settings.',
    owner: 'Does all that editors do, and manages API keys, the Webhook Secret and users.',
  },
} as const;
