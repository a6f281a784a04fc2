import { equal } from '../../../src/web/pages/flows/draft/equal.ts';
import { readJournal } from '../../../src/web/pages/flows/draft/journal.ts';
import { openDraft, type Opened } from '../../../src/web/pages/flows/draft/open.ts';
import type { DraftServer } from '../../../src/web/pages/flows/draft/saver.ts';
import type { Clock } from '../../../src/web/pages/flows/draft/session.ts';
import type { Stored } from '../../../src/web/pages/flows/draft/state.ts';

/** What becomes of a request: how long it takes to the server and its answer back, in ms; null where it is lost. */
export type Trip = { there: number | null; back: number | null };

const fast: Trip = { there: 20, back: 20 };

/** After so many ms without an answer a request is given up. */
const patienceMs = 30_000;

export const names = {
  json: 'Edit JSON',
  theirs: (part: string) => `Use theirs: ${part}`,
  both: (part: string) => `Keep both: ${part}`,
  kept: 'Changes kept here',
};

/** A time that goes on only when told to. */
export const createTime = () => {
  let now = 1_000_000;
  let queue: { at: number; run: () => void }[] = [];
  const after = (ms: number, then: () => void) => {
    const event = { at: now + ms, run: then };
    queue.push(event);
    return () => void (queue = queue.filter((one) => one !== event));
  };
  const clock: Clock = { now: () => now, after };
  /** Has this much time pass, with all that happens in it. */
  const pass = async (ms: number): Promise<void> => {
    const until = now + ms;
    await settle();
    for (;;) {
      const next = queue.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
      if (!next) break;
      queue = queue.filter((one) => one !== next);
      now = Math.max(now, next.at);
      next.run();
      await settle();
    }
    now = until;
  };
  return { clock, pass };
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The server's rules for drafts: a draft is stored over the revision that was meant, and the same one again changes nothing. */
const createStored = (begun: Stored) => {
  let stored = begun;
  return {
    read: () => stored,
    store: ({ revision, definition }: Stored): number | undefined => {
      if (revision !== stored.revision) return undefined;
      if (!equal(stored.definition, definition))
        stored = { revision: revision + 1, definition: structuredClone(definition) };
      return stored.revision;
    },
  };
};

/** A browser's page, as long as it lives. */
export type Tab = { opened: Opened; slot: string; isDead: boolean };

/** One flow, pages that are open on it over a network of their own, and what they keep. */
export const createWorld = (begun: Stored) => {
  const time = createTime();
  const stored = createStored(begun);
  const journal = new Map<string, string>();
  const tabs: Tab[] = [];
  const trips: Trip[] = [];
  let slots = 0;

  /** Sends a request over the network: the next trip is this one's. */
  const travel = <Answer>(serve: () => Answer): Promise<Answer | { is: 'away' }> =>
    new Promise((resolve) => {
      const { there, back } = trips.shift() ?? fast;
      time.clock.after(patienceMs, () => resolve({ is: 'away' }));
      if (there === null) return;
      time.clock.after(there, () => {
        const answer = serve();
        if (back !== null) time.clock.after(back, () => resolve(answer));
      });
    });

  const server: DraftServer = {
    read: () => travel(() => ({ is: 'read', stored: structuredClone(stored.read()), issues: [] })),
    store: (draft) =>
      travel(() => {
        const revision = stored.store(draft);
        return revision === undefined ? { is: 'changed' as const } : { is: 'stored' as const, revision, issues: [] };
      }),
  };

  /** Opens a page, which takes over what dead ones have kept. */
  const open = (): Tab => {
    const live = new Set(tabs.filter(({ isDead }) => !isDead).map(({ slot }) => slot));
    const orphans = [...journal].filter(([slot]) => !live.has(slot)).toReversed();
    const slot = orphans[0]?.[0] ?? `slot ${(slots += 1)}`;
    const kept = orphans.flatMap(([, text]) => readJournal(text) ?? []);
    const place = {
      write: async ({ text }: { text: string }) => {
        journal.delete(slot);
        journal.set(slot, text);
        for (const [other] of orphans) if (other !== slot) journal.delete(other);
      },
    };
    const found = { kept, stored: { stored: structuredClone(stored.read()), issues: [] } };
    const opened = openDraft(found, { server, place, clock: time.clock, names });
    if (!opened) throw new TypeError('a draft is stored');
    const tab = { opened, slot, isDead: false };
    tabs.push(tab);
    return tab;
  };

  /** Ends a page without a word. */
  const kill = (tab: Tab): void => {
    tab.isDead = true;
    tab.opened.saver.stop();
    tab.opened.keeper.stop();
  };

  return { ...time, stored, journal, trips, open, kill, tabs: () => tabs.filter(({ isDead }) => !isDead) };
};
