import { createKeeper, type Keeper, type Place } from './keeper.ts';
import { createSaver, type DraftServer, type Saver } from './saver.ts';
import { createSession, type Clock, type Issue, type Session, type StepNames } from './session.ts';
import { addConflicts, beginWith, bring, isUnread, rebase, type DraftState, type Stored } from './state.ts';

/** What a draft is opened with: what was kept, newest first, and what is stored, where it could be read. */
export type Found = {
  kept: readonly DraftState[];
  stored: { stored: Stored; issues: readonly Issue[] } | undefined;
};

/** A draft that is open, saved by itself and kept. */
export type Opened = { session: Session; saver: Saver; keeper: Keeper };

type Around = { server: DraftServer; place: Place; clock: Clock; names: StepNames & { kept: string } };

/** Opens a draft, and goes on from what was kept. Undefined where nothing was found. */
export const openDraft = ({ kept, stored }: Found, { server, place, clock, names }: Around): Opened | undefined => {
  const [newest, ...others] = kept;
  const begun = newest ?? (stored && beginWith(stored.stored));
  if (!begun) return undefined;
  const based = stored ? rebase(begun, stored.stored) : begun;
  const state = others.reduce((now, other) => {
    const { base, definition: changed, conflicts } = other;
    const step = { label: names.kept };
    const brought = bring(now, { base: base.definition, changed, step, at: clock.now() });
    return takeText(addConflicts(brought, conflicts), other);
  }, based);
  const session = createSession(
    {
      ...state,
      saving: { is: 'saving' },
      issues: stored?.issues ?? [],
      isKept: true,
    },
    { clock, names },
  );
  const keeper = createKeeper(session, { place, clock });
  const saver = createSaver(session, { server, clock });
  // A text may have been kept before it was read.
  session.readTyped();
  return { session, saver, keeper };
};

/** A text that is no definition yet is taken over from another page unless there is one already. */
const takeText = (state: DraftState, { typed }: DraftState): DraftState =>
  typed && !isUnread(state) ? { ...state, typed } : state;
