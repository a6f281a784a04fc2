/** The filters of conversations, as addresses and saved views have them. */
export const conversationFilterNames = ['status', 'state', 'contact', 'channel', 'assigned_to'] as const;

type Filters = Partial<Record<(typeof conversationFilterNames)[number], string>>;

const statuses = ['open', 'closed'] as const;

/** What the API is asked for by these filters; a value that it does not know is left out. */
export const conversationQuery = ({ status, state, contact, channel, assigned_to }: Filters) => {
  const known = statuses.find((one) => one === status);
  return {
    ...(known && { status: known }),
    ...(state === 'handover' && { state: 'handover' as const }),
    ...(contact !== undefined && { contact_id: contact }),
    ...(channel !== undefined && { channel_id: channel }),
    ...(assigned_to !== undefined && { assigned_to }),
  };
};
