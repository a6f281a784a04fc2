/** Changes of whether a contact gets messages. */
export const contactStatusWords = {
  become: {
    active: 'Unblock',
    subscribed: 'Subscribe again …',
    unsubscribed: 'Unsubscribe …',
    blocked: 'Block …',
  },
  statusChanges: {
    unsubscribed: {
      action: 'Unsubscribe',
      title: 'Unsubscribe this contact?',
      text: 'Flows and agents can no longer write to this contact, and its flows end. Queued messages are not sent.',
    },
    blocked: {
      action: 'Block',
      title: 'Block this contact?',
      text: 'Flows and agents can no longer write to this contact, its flows end, and no flow starts. Queued messages are not sent.',
    },
    resubscribed: {
      action: 'Subscribe again',
      title: 'Subscribe this contact again?',
      text: 'Flows and agents can write to this contact again. Do this only if the contact asked for it.',
    },
  },
} as const;
