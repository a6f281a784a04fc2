/** The most characters of a message, of a quick reply and of the url of an image; the most quick replies and attachments of a message. */
export const messageLimits = { text: 10_000, quickReply: 80, url: 2_048, quickReplies: 10, attachments: 10 } as const;

/** The most of a message that channels of a kind take: characters of its text and of a quick reply, quick replies and attachments. */
export type ChannelLimits = { text: number; quickReply: number; quickReplies: number; attachments: number };

/** The same by the types of channels. */
export type LimitsByType = Readonly<Record<string, ChannelLimits>>;
