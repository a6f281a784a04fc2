/** The most characters of a message, of a quick reply and of the url of an image; the most quick replies of a message. */
export const messageLimits = { text: 10_000, quickReply: 80, url: 2_048, quickReplies: 10 } as const;
