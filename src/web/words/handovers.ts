/** Handovers, wherever they stand. */
export const handoverWords = {
  title: 'Handover requested',
  by: 'Requested by',
  requesters: { contact: 'the contact', flow: 'a flow', agent: 'a user', api: 'the API' },
  reason: 'Reason',
  since: 'Since',
  expires: 'Expires',
  takenBy: 'Taken by',
  taken: (user: string) => `Taken by ${user}`,
  givenBack: 'Unassigned',
  silence: 'Automation is paused until this is resolved.',
  resolve: 'Resolve',
  outcome: 'Resolution note',
  outcomeOptional: 'Resolution note (optional)',
} as const;
