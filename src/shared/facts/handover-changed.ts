/**
 * A handover was requested, a user has taken it or given it back, or it has ended; ids are UUIDs. `byUserId` is the user who did so. The conversation
 * is the one that it is about, if any.
 */
export const handoverChanged = (
  handover: {
    accountId: string;
    contactId: string;
    conversationId: string | null;
    handoverId: string;
    byUserId?: string | undefined;
  } & (
    | { kind: 'handed_over' }
    | { kind: 'taken'; assignedTo: string | null }
    | { kind: 'handed_back'; status: 'resolved' | 'expired' }
  ),
) => ({ name: 'handover_changed', topics: ['handovers', 'conversations'], ...handover }) as const;
