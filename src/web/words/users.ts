/** What each role may do. */
export const userWords = {
  name: 'Name',
  nameHint: 'Colleagues see it instead of the e-mail address.',
  may: {
    agent: 'Looks after contacts, conversations and handovers. Sees no bodies of deliveries, events and requests.',
    editor: 'Everything that an agent may, and changes flows, webhooks, channels and settings.',
    owner: 'Everything: also API keys, the Webhook Secret and users.',
  },
} as const;
