/** Workflows in Temporal's UI. */
export const temporalWords = {
  workflow: 'Workflow',
  open: 'Open in Temporal',
  views: 'In Temporal:',
  retrying: 'Retrying',
  failed: 'Failed',
  waiting: 'In progress',
} as const;
