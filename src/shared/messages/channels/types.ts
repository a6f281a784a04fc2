/** The types of channels. `kinds.ts` has what each does. */
export const channelTypes = ['api'] as const;

export type ChannelType = (typeof channelTypes)[number];

/** How messages come in and go out. */
export const channelSummaries: Record<ChannelType, string> = {
  api: 'messages come in over POST /v1/channels/{id}/inbound, and go out to `callback_url`',
};
