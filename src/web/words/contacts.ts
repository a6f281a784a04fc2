/** Contacts, wherever they stand. */
export const contactWords = {
  statuses: { active: 'Active', unsubscribed: 'Unsubscribed', blocked: 'Blocked' },
} as const;
