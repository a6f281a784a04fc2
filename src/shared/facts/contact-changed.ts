/** Fields of a contact have changed; ids are UUIDs. `byRunId` is the run that has changed them, which knows. */
export const contactChanged = (contact: {
  accountId: string;
  contactId: string;
  fields: readonly string[];
  byRunId?: string;
}) => ({ name: 'contact_changed', topics: ['contacts'], ...contact }) as const;
