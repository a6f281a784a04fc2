/** What starts flows. */
export const triggers = {
  now: 'What starts it now',
  nowHint:
    'Of flows that one message could start, one that interrupts comes first, then the highest priority, then the oldest flow.',
  notLive: 'Nothing does: only a live flow is started.',
  draft: 'What the draft says',
  draftHint: 'It holds once the draft is published.',
  priority: 'Priority {{priority}}',
  interrupts: 'Interrupts other flows',
  neverWins: 'It never wins:',
  taken: 'this goes to',
  wordTaken: '“{{word}}” goes to',
  kinds: {
    api: 'The API enrols a contact',
    exact: 'A message that is {{words}}',
    contains: 'A message that has {{words}} in it',
    prefix: 'A message that begins with {{words}}',
    tag_applied: 'A contact gets the tag “{{tag}}”',
    new_contact: 'A new contact',
    order_placed: 'An order is placed',
    order_status_changed: 'The status of an order changes',
    order_becomes: 'An order becomes “{{status}}”',
    default_reply: 'A message that starts no other flow',
  },
} as const;
