/** A handover was resolved, or its time is over; ids are UUIDs. `byRunId` is the run that has ended it, which knows. */
export const handoverEnded = (handover: {
  accountId: string;
  contactId: string;
  handoverId: string;
  status: 'resolved' | 'expired';
  byRunId?: string | undefined;
}) => ({ name: 'handover_ended', topics: ['handovers', 'conversations', 'contacts'], ...handover }) as const;
