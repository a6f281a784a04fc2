/** Lists of workflows in Temporal's UI. */
export const temporalWords = {
  views: 'In Temporal:',
  retrying: 'Retrying',
  failed: 'Failed',
  waiting: 'Under way',
} as const;
