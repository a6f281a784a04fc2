/** Handovers, wherever they stand. */
export const handoverWords = {
  title: 'A person is needed',
  by: 'Asked for by',
  requesters: { contact: 'the contact', flow: 'a flow', agent: 'a user of the account', api: 'the API' },
  reason: 'Reason',
  since: 'Since',
  expires: 'Expires',
  takenBy: 'Taken by',
  silence: 'No flow talks to the contact until this is resolved.',
  resolve: 'Resolve',
  outcome: 'What became of it',
  outcomeHint: 'For your records; it may stay empty.',
} as const;
