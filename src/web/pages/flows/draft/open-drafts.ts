import { isSessionOver } from '../../../api/session.ts';
import { whenThere } from '../../../api/connection.ts';
import { askBeforeLeaving } from '../../../shell/leaving.ts';
import { sayPart } from '../compare/say-part.ts';
import { askToLeave } from './ask-to-leave.ts';
import { browserClock } from './clock.ts';
import { claimKept, deleteKept, nothingKept } from './kept-drafts.ts';
import { openDraft, type Opened } from './open.ts';
import type { Part } from './parts.ts';
import { createServer, readDraft, type Owner } from './server.ts';
import { isUnread, isUnsaved } from './state.ts';
import { words } from './words.ts';

type Entry = { owner: Owner; opened: Opened; close: () => void };

/** A draft that somebody shows; of one that nobody shows any more, until it is saved. */
type Slot = { users: number; opening: Promise<Entry> };

const slots = new Map<string, Slot>();

const entries = new Set<Entry>();

const names = {
  ...words.steps,
  theirs: (part: Part) => words.steps.theirs(sayPart(part)),
  both: (part: Part) => words.steps.both(sayPart(part)),
};

const keyOf = ({ userId, flowId }: Owner): string => `${userId} ${flowId}`;

/** Opens the draft of a flow, or goes on with the one that is open. Throws where it cannot be read and nothing was kept of it. */
export const acquireDraft = async (owner: Owner): Promise<Opened> => {
  const key = keyOf(owner);
  const slot = slots.get(key) ?? { users: 0, opening: begin(owner) };
  slots.set(key, slot);
  slot.users += 1;
  try {
    return (await slot.opening).opened;
  } catch (error) {
    if (slots.get(key) === slot) slots.delete(key);
    throw error;
  }
};

/** Leaves a draft: it is closed as soon as it is saved. */
export const releaseDraft = async (owner: Owner): Promise<void> => {
  const slot = slots.get(keyOf(owner));
  if (!slot) return;
  slot.users -= 1;
  await closeWhenSaved(slot);
};

const closeWhenSaved = async (slot: Slot): Promise<void> => {
  if (slot.users > 0) return;
  const entry = await slot.opening.catch(() => undefined);
  if (!entry) return;
  await entry.opened.saver.settle();
  await entry.opened.keeper.keep();
  const state = entry.opened.session.store.getState();
  const isDone = state.saving.is === 'saved' || state.saving.is === 'ended' || isSessionOver();
  if (slot.users === 0 && isDone) entry.close();
};

const begin = async (owner: Owner): Promise<Entry> => {
  const [kept, read] = await Promise.all([
    owner.mayEdit ? claimKept(owner) : nothingKept,
    readDraft(owner.flowId).then(
      (draft) => ({ draft }),
      (error: unknown) => ({ error }),
    ),
  ]);
  const stored = 'draft' in read ? { stored: read.draft, issues: read.draft.issues } : undefined;
  const opened = openDraft(
    { kept: kept.found, stored },
    { server: createServer(owner), place: kept.place, clock: browserClock, names },
  );
  if (!opened) {
    kept.release();
    throw 'error' in read ? read.error : new TypeError('a draft is stored or kept');
  }
  const entry: Entry = { owner, opened, close: () => {} };
  const forget = [
    whenThere(() => opened.saver.retry()),
    opened.session.store.subscribe(({ saving }, before) => {
      const slot = slots.get(keyOf(owner));
      if (slot && saving !== before.saving && saving.is === 'saved') void closeWhenSaved(slot);
    }),
  ];
  entry.close = () => {
    for (const end of forget) end();
    opened.saver.stop();
    opened.keeper.stop();
    kept.release();
    slots.delete(keyOf(owner));
    entries.delete(entry);
  };
  entries.add(entry);
  return entry;
};

/** Saves and keeps all drafts, as the page may go at any moment. */
const saveAll = (): void => {
  for (const { opened } of entries) {
    opened.saver.flush({ isLast: true });
    void opened.keeper.keep();
  }
};

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') saveAll();
});
addEventListener('pagehide', saveAll);

const isOnlyHere = ({ opened }: Entry): boolean => {
  const state = opened.session.store.getState();
  return isUnsaved(state) || isUnread(state);
};

addEventListener('beforeunload', (event) => {
  saveAll();
  const isLost = [...entries].some((entry) => isOnlyHere(entry) && !entry.opened.session.store.getState().isKept);
  if (isLost) event.preventDefault();
});

// What is kept here goes with the session.
askBeforeLeaving((leave) => void leaveWhenSaved(leave));

const leaveWhenSaved = async (leave: () => void): Promise<void> => {
  await Promise.all([...entries].map(({ opened }) => opened.saver.settle()));
  if ([...entries].some(isOnlyHere)) askToLeave(leave);
  else leave();
};

/** Forgets all that is here of a user's drafts. */
export const forgetDrafts = async (userId: string): Promise<void> => {
  for (const entry of entries) if (entry.owner.userId === userId) entry.close();
  await deleteKept(userId);
};
