import { readDefinition, showDefinition, type AnyDefinition } from '../definition-text.ts';
import type { Step } from './editing.ts';
import { equal } from './equal.ts';
import { merge, type Conflict } from './merge.ts';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { hasRoom } from '../edits/add.ts';
import { keepBoth } from '../edits/keep-both.ts';
import { blockIdOf, diff, partsOf, putParts, share, type Part } from './parts.ts';
import { noHistory, record, redoStep, undoStep, type History } from './steps.ts';

/** A draft as the server has it. */
export type Stored = { revision: number; definition: AnyDefinition };

/** A text of JSON as it was typed. Until it is read, `of` is the definition that it was before; then the one that it says. */
type Typed = { text: string; of: AnyDefinition; isRead: boolean; problem?: string };

/** A draft that is being changed. */
export type DraftState = {
  /** The stored draft that `definition` was made of. */
  base: Stored;
  definition: AnyDefinition;
  history: History;
  typed: Typed | undefined;
  /** Parts that somebody else has changed as well. `definition` has them as they are here. Nothing is saved while there are any. */
  conflicts: readonly Conflict[];
  /** What was sent without an answer: it may be stored. */
  unanswered: readonly AnyDefinition[];
  /** The same, where the draft was not stored yet when the server was asked: a slow request may still arrive. */
  late: readonly AnyDefinition[];
};

export const beginWith = (base: Stored): DraftState => ({
  base,
  definition: base.definition,
  history: noHistory,
  typed: undefined,
  conflicts: [],
  unanswered: [],
  late: [],
});

/** Changes the definition; `at` is now, in ms. */
export const edit = (
  state: DraftState,
  { step, change, at }: { step: Step; change: (definition: AnyDefinition) => AnyDefinition; at: number },
): DraftState => {
  const before = state.definition;
  const definition = change(before);
  if (definition === before) return state;
  return { ...state, definition, history: record(state.history, { step, before, after: definition, at }) };
};

export const undo = (state: DraftState): DraftState => ({ ...state, ...undoStep(state.history, state.definition) });

export const redo = (state: DraftState): DraftState => ({ ...state, ...redoStep(state.history, state.definition) });

/** The draft as JSON, as it was typed where it was. */
export const textOf = ({ typed, definition }: DraftState): string =>
  typed && (!typed.isRead || typed.of === definition) ? typed.text : shownText(definition);

const texts = new WeakMap<AnyDefinition, string>();

const shownText = (definition: AnyDefinition): string => {
  const text = texts.get(definition) ?? showDefinition(definition);
  texts.set(definition, text);
  return text;
};

/** Takes a text that is being typed. It changes nothing until it is read. */
export const type = (state: DraftState, text: string): DraftState => {
  const { typed, definition } = state;
  if (text === textOf(state)) return state;
  const unread = typed && !typed.isRead ? typed : undefined;
  return { ...state, typed: { text, of: unread?.of ?? definition, isRead: false } };
};

/** Reads the text that was typed: one that is JSON becomes a step, with what was changed otherwise since. */
export const readTyped = (state: DraftState, { step, at }: { step: Step; at: number }): DraftState => {
  const { typed, definition } = state;
  if (!typed || typed.isRead) return state;
  const read = readDefinition(typed.text);
  if ('problem' in read) return { ...state, typed: { ...typed, problem: read.problem } };
  const said = share(typed.of, read.definition);
  const next = bring(state, { base: typed.of, changed: said, step, at });
  const isSaid = typed.of === definition || next.definition === said;
  return { ...next, typed: isSaid ? { text: typed.text, of: next.definition, isRead: true } : undefined };
};

/** Makes changes here that were made to another definition, as a step. What was changed here otherwise is a conflict. */
export const bring = (
  state: DraftState,
  { base, changed, step, at }: { base: AnyDefinition; changed: AnyDefinition; step: Step; at: number },
): DraftState => {
  const { definition, conflicts } = merge({ base, mine: changed, theirs: state.definition });
  return addConflicts(edit(state, { step, change: () => definition, at }), conflicts);
};

/** Goes on from what is stored now: what others have changed is there as well, and what both have changed is a conflict. */
export const rebase = (state: DraftState, stored: Stored): DraftState => {
  const { revision, definition: before } = state.base;
  if (stored.revision <= revision) return state;
  const base = settle(state, stored.definition);
  const theirs = share(base, stored.definition);
  const { definition, conflicts } = merge({ base, mine: state.definition, theirs });
  const [old, now] = [partsOf(before), partsOf(theirs)];
  const open = state.conflicts.map((one) =>
    equal(one.theirs, old.get(one.part)) ? { ...one, theirs: now.get(one.part) } : one,
  );
  const rebased = {
    ...state,
    base: { revision: stored.revision, definition: theirs },
    definition,
    unanswered: [],
    late: [],
  };
  return addConflicts({ ...rebased, conflicts: open }, conflicts);
};

/** What both have begun with: with all that was stored of what was sent without an answer. */
const settle = ({ base, unanswered, late }: DraftState, stored: AnyDefinition): AnyDefinition =>
  [...late, ...unanswered].reduce((settled, sent) => {
    const now = partsOf(stored);
    const arrived = diff(settled, sent).filter(({ part, after }) => equal(now.get(part), after));
    return putParts(settled, new Map(arrived.map(({ part, after }) => [part, after])));
  }, base.definition);

/** Adds conflicts to those there are, but for parts that are as the other one has them. */
export const addConflicts = <State extends DraftState>(state: State, conflicts: readonly Conflict[]): State => {
  const all = new Map<Part, Conflict>(state.conflicts.map((one) => [one.part, one]));
  for (const one of conflicts) all.set(one.part, one);
  const now = partsOf(state.definition);
  const open = [...all.values()].filter(({ part, theirs }) => !equal(now.get(part), theirs));
  return { ...state, conflicts: open };
};

/** How many definitions without an answer are remembered; of an older one that is stored after all, its blocks are asked about. */
const mostUnanswered = 5;

/** Says that the stored draft is now the one that was sent. The same one again has no new revision, over which a slow request can still arrive. */
export const noteSaved = (state: DraftState, base: Stored): DraftState => {
  const isSame = base.revision === state.base.revision;
  const late = isSame ? [...state.late, ...state.unanswered].slice(-mostUnanswered) : [];
  return { ...state, base, unanswered: [], late };
};

/** Notes that a definition is being sent, and may be stored from now on. */
export const noteSent = (state: DraftState, sent: AnyDefinition): DraftState => ({
  ...state,
  unanswered: [...state.unanswered.filter((one) => one !== sent), sent].slice(-mostUnanswered),
});

/** Notes that a definition was sent and is not stored. */
export const noteNotStored = (state: DraftState, sent: AnyDefinition): DraftState => ({
  ...state,
  unanswered: state.unanswered.filter((one) => one !== sent),
});

/** Takes a part as the other one has it, as a step. */
export const takeTheirs = (
  state: DraftState,
  { part, step, at }: { part: Part; step: Step; at: number },
): DraftState => {
  const conflict = state.conflicts.find((one) => one.part === part);
  if (!conflict) return state;
  const change = (definition: AnyDefinition) => putParts(definition, new Map([[part, conflict.theirs]]));
  return keepMine(edit(state, { step, change, at }), part);
};

/** Whether a conflict is about a block that both have, and can be kept as two. */
export const isTwofold = ({ definition }: Pick<DraftState, 'definition'>, { part, theirs }: Conflict): boolean =>
  part.startsWith('block:') && isObject(theirs) && partsOf(definition).has(part) && hasRoom(definition);

/** Takes a block as the other one has it, and the own version as another block, as a step. */
export const keepTwo = (state: DraftState, { part, step, at }: { part: Part; step: Step; at: number }): DraftState => {
  const conflict = state.conflicts.find((one) => one.part === part);
  const id = blockIdOf(part);
  if (!conflict || id === undefined || !isTwofold(state, conflict)) return state;
  const { theirs } = conflict;
  const change = (definition: AnyDefinition) =>
    isObject(theirs) ? keepBoth(definition, { id, theirs, stored: state.base.definition }) : definition;
  return keepMine(edit(state, { step, change, at }), part);
};

/** Leaves a part as it is here. */
export const keepMine = (state: DraftState, part: Part): DraftState => ({
  ...state,
  conflicts: state.conflicts.filter((one) => one.part !== part),
});

/** Whether a definition is to be stored. */
export const isUnsaved = ({ base, definition, unanswered }: DraftState): boolean =>
  unanswered.length > 0 || diff(base.definition, definition).length > 0;

/** Whether a text that was typed is no definition yet. */
export const isUnread = ({ typed }: DraftState): boolean => typed?.isRead === false;
