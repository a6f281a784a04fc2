import type { Clock, Session } from './session.ts';
import { isUnread, isUnsaved } from './state.ts';
import { writeJournal } from './journal.ts';

/** Where a page keeps one draft. It throws where the browser keeps nothing. */
export type Place = { write: (entry: { text: string; isSaved: boolean }) => Promise<void> };

/** Keeps a draft in the journal while it is changed. */
export type Keeper = { keep: () => Promise<void>; stop: () => void };

/** A change is in the journal after so many ms. */
const keepMs = 250;

export const createKeeper = (
  { store }: Pick<Session, 'store'>,
  { place, clock }: { place: Place; clock: Clock },
): Keeper => {
  let forget: (() => void) | undefined;
  let last = Promise.resolve();
  let isStopped = false;

  const noteKept = (isKept: boolean): void => {
    if (store.getState().isKept !== isKept) store.setState({ isKept });
  };

  const write = async (): Promise<void> => {
    if (isStopped) return;
    const state = store.getState();
    try {
      await place.write({ text: writeJournal(state), isSaved: !isUnsaved(state) && !isUnread(state) });
      noteKept(true);
    } catch {
      // A browser without room or leave for it: the page asks before it is left.
      noteKept(false);
    }
  };
  const keep = (): Promise<void> => {
    forget?.();
    forget = undefined;
    last = last.then(write);
    return last;
  };
  const unsubscribe = store.subscribe((state, before) => {
    const isSame =
      state.definition === before.definition &&
      state.typed === before.typed &&
      state.base === before.base &&
      state.history === before.history &&
      state.conflicts === before.conflicts &&
      state.unanswered === before.unanswered;
    if (isSame) return;
    forget ??= clock.after(keepMs, () => void keep());
  });
  return {
    keep,
    stop: () => {
      isStopped = true;
      forget?.();
      unsubscribe();
    },
  };
};
