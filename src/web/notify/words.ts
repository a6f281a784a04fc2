/** What notifications say. They name nobody: they stand on locked screens. */
export const words = {
  mine: 'New message in your conversation',
  assigned: 'A conversation was assigned to you',
  waiting: 'A contact is waiting for an agent',
  ofColleague: 'New message for a colleague',
  open: 'Click to open the conversation.',
} as const;
