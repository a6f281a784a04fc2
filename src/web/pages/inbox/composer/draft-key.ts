/** What is written: to the contact, or for agents. */
export type Kind = 'reply' | 'note';

/** Under which the draft of a conversation is known. */
export const draftKey = (id: string, kind: Kind) => ['draft', id, kind] as const;
