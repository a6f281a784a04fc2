import * as z from 'zod/mini';

const edited = z.object({ revision: z.number(), text: z.string(), savedText: z.string() });

/** A text that is being written, and what it was made of. */
export type Edited = z.infer<typeof edited>;

/** Whose text of which flow's draft. */
type Owner = { userId: string; flowId: string };

const keyOf = ({ userId, flowId }: Owner): string => `parley-draft ${userId} ${flowId}`;

/** Keeps a text in this tab of the browser until its writer has signed in again. */
export const keepText = (owner: Owner, text: Edited): void => {
  try {
    sessionStorage.setItem(keyOf(owner), JSON.stringify(text));
  } catch {
    // A browser without room for it loses the text, as it would without this.
  }
};

export const findKeptText = (owner: Owner): Edited | undefined => {
  const kept = sessionStorage.getItem(keyOf(owner));
  return kept === null ? undefined : edited.parse(JSON.parse(kept));
};

export const forgetKeptText = (owner: Owner): void => sessionStorage.removeItem(keyOf(owner));
