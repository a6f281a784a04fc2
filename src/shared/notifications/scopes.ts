/** Conversations that a user can hear of, each kind by its own ways. Those of the bot are none of them. */
export const scopes = ['mine', 'unassigned', 'all'] as const;

export type Scope = (typeof scopes)[number];
