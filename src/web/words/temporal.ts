/** Lists of workflows in Temporal's UI. */
export const temporalWords = {
  views: 'In Temporal:',
  retrying: 'Retrying',
  failed: 'Failed',
  waiting: 'In progress',
} as const;
