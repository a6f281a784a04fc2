import * as z from 'zod/mini';

/** The contact's last message, since when the conversation waits, and when somebody else assigned it to the user. */
const toldOf = z.object({
  message: z.optional(z.string()),
  since: z.optional(z.string()),
  assigned: z.optional(z.string()),
});

/** What a user was told of, by conversation. */
export type Told = Map<string, z.infer<typeof toldOf>>;

const kept = z.object({ userId: z.string(), told: z.array(z.tuple([z.string(), toldOf])) });

const key = 'parley-told';

/** What pages of this browser have told the user of before: a page that was loaded again, or notifies in another's place, does not tell of it again. */
export const readTold = (userId: string): Told => {
  try {
    const read = kept.parse(JSON.parse(localStorage.getItem(key) ?? ''));
    return new Map(read.userId === userId ? read.told : []);
  } catch {
    return new Map();
  }
};

export const keepTold = (userId: string, told: Told): void => {
  try {
    localStorage.setItem(key, JSON.stringify({ userId, told: [...told] } satisfies z.infer<typeof kept>));
  } catch {
    // A browser that keeps nothing may tell twice of what came just before.
  }
};
