/** Where a conversation is read and answered. */
export const linkOfConversation = ({ id }: { id: string }): string => `/inbox/${id}`;
