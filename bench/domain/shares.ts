/** How much an account has. */
export type Size = { contacts: number; messages: number };

/** Every fifth contact has had two conversations. */
export const conversationsOf = ({ contacts }: Size): number => Math.floor((contacts * 6) / 5);
