import { createStore, delMany, entries, set } from 'idb-keyval';
import * as z from 'zod/mini';
import { readJournal } from './journal.ts';
import type { Place } from './keeper.ts';
import type { Owner } from './server.ts';
import type { DraftState } from './state.ts';

const database = createStore('parley-drafts', 'drafts');

const entry = z.object({ text: z.string(), isSaved: z.boolean(), at: z.number() });

type Entry = z.infer<typeof entry>;

const dayMs = 86_400_000;

/** How long a draft is kept that is not stored, and how long the steps of one that is, in ms. */
const [unsavedMs, savedMs] = [30 * dayMs, dayMs];

/** How many drafts of a user are kept; of more, those go first that are stored, and then the oldest. */
const mostKept = 50;

const ownedBy = (userId: string): string => `${userId} `;

const ofFlow = ({ userId, flowId }: Owner): string => `${ownedBy(userId)}${flowId} `;

/** A lock that a page holds as long as it lives; undefined while another page has it. A browser without locks gives it to everybody. */
const claim = (name: string): Promise<(() => void) | undefined> =>
  new Promise((resolve) => {
    // Only secure contexts have it.
    const { locks }: Partial<Navigator> = navigator;
    if (!locks) {
      resolve(() => {});
      return;
    }
    void locks.request(name, { ifAvailable: true }, (lock) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined),
    );
  });

/** What a page keeps of one draft, and what pages have left that are gone. */
export type KeptDrafts = { found: readonly DraftState[]; place: Place; release: () => void };

/** Of a draft that is only read. */
export const nothingKept: KeptDrafts = { found: [], place: { write: async () => {} }, release: () => {} };

/** Takes over what pages have kept that are gone, newest first. Each page that is open has a place of its own. */
export const claimKept = async (owner: Owner): Promise<KeptDrafts> => {
  try {
    return await claimAll(owner);
  } catch {
    // The page asks before it is left.
    return { ...nothingKept, place: { write: () => Promise.reject(new TypeError('this browser keeps nothing')) } };
  }
};

const claimAll = async (owner: Owner): Promise<KeptDrafts> => {
  const all = await readAll(owner.userId);
  const mine: { key: string; state: DraftState; release: () => void }[] = [];
  for (const [key, { text }] of all) {
    const release = key.startsWith(ofFlow(owner)) ? await claim(key) : undefined;
    const state = release && readJournal(text);
    if (state) mine.push({ key, state, release });
    else release?.();
  }
  const key = mine[0]?.key ?? `${ofFlow(owner)}${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
  const release = mine[0]?.release ?? (await claim(key));
  let others = mine.slice(1);
  return {
    found: mine.map(({ state }) => state),
    place: {
      write: async ({ text, isSaved }) => {
        await set(key, { text, isSaved, at: Date.now() } satisfies Entry, database);
        // What they kept is in this page's own draft now.
        const taken = others;
        others = [];
        await delMany(
          taken.map((one) => one.key),
          database,
        );
        for (const one of taken) one.release();
      },
    },
    release: () => {
      release?.();
      for (const one of others) one.release();
    },
  };
};

/** What is kept for a user, newest first. What is too old, or too much, is deleted. */
const readAll = async (userId: string): Promise<[key: string, entry: Entry][]> => {
  const now = Date.now();
  const read = (await entries<string, unknown>(database)).flatMap(([key, value]) => {
    const { data } = entry.safeParse(value);
    return [{ key, data, isOld: !data || now - data.at > (data.isSaved ? savedMs : unsavedMs) }];
  });
  const kept = read
    .flatMap(({ key, data, isOld }) => (data && !isOld && key.startsWith(ownedBy(userId)) ? [{ key, data }] : []))
    .toSorted((a, b) => b.data.at - a.data.at);
  const inTurn = [...kept.filter(({ data }) => !data.isSaved), ...kept.filter(({ data }) => data.isSaved)];
  const gone = [...read.filter(({ isOld }) => isOld), ...inTurn.slice(mostKept)];
  await delMany(
    gone.map(({ key }) => key),
    database,
  );
  const deleted = new Set(gone.map(({ key }) => key));
  return kept.flatMap(({ key, data }) => (deleted.has(key) ? [] : [[key, data]]));
};

/** Deletes all that is kept for a user. */
export const deleteKept = async (userId: string): Promise<void> => {
  try {
    const all = await entries<string, unknown>(database);
    await delMany(
      all.map(([key]) => key).filter((key) => key.startsWith(ownedBy(userId))),
      database,
    );
  } catch {
    // A browser that keeps nothing has nothing to delete.
  }
};
