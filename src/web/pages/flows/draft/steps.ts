import type { AnyDefinition } from '../definition-text.ts';
import type { Step } from './editing.ts';
import { equal } from './equal.ts';
import { turn } from './merge.ts';
import { diff, type Change, type Part } from './parts.ts';

/** A step that can be undone: what it changed, and when it was last added to, in ms. */
export type DoneStep = Step & { changes: readonly Change[]; at: number };

/** The steps that can be undone, and those that can be redone, the next one last. */
export type History = { done: readonly DoneStep[]; undone: readonly DoneStep[] };

/** The most steps that can be undone. */
export const mostSteps = 100;

/** After a pause of so many ms a gesture is another one. */
const pauseMs = 1_000;

export const noHistory: History = { done: [], undone: [] };

/** The history after a step that made `after` of `before`. */
export const record = (
  { done, undone }: History,
  { step, before, after, at }: { step: Step; before: AnyDefinition; after: AnyDefinition; at: number },
): History => {
  const changes = diff(before, after);
  if (changes.length === 0) return { done, undone };
  const last = done.at(-1);
  const goesOn =
    last?.gesture !== undefined && last.gesture === step.gesture && undone.length === 0 && at - last.at < pauseMs;
  if (!goesOn) return { done: [...done, { ...step, changes, at }].slice(-mostSteps), undone: [] };
  const together = join(last.changes, changes);
  const rest = done.slice(0, -1);
  return { done: together.length === 0 ? rest : [...rest, { ...last, changes: together, at }], undone: [] };
};

/** Two changes, one after the other, as one. */
const join = (first: readonly Change[], then: readonly Change[]): Change[] => {
  const joined = new Map<Part, Change>(first.map((change) => [change.part, change]));
  for (const change of then) {
    const before = joined.get(change.part);
    joined.set(change.part, before ? { ...before, after: change.after } : change);
  }
  return [...joined.values()].filter(({ before, after }) => !equal(before, after));
};

/** Takes the last step back. Undefined while there is none. */
export const undoStep = (
  { done, undone }: History,
  definition: AnyDefinition,
): { history: History; definition: AnyDefinition } | undefined => {
  const step = done.at(-1);
  if (!step) return undefined;
  const back = step.changes.map(({ part, before, after }) => ({ part, from: after, to: before }));
  return {
    // No gesture goes on with a step that was undone.
    history: {
      done: done.slice(0, -1),
      undone: [...undone, { label: step.label, changes: step.changes, at: step.at }],
    },
    definition: turn(definition, back),
  };
};

/** Does the step again that was undone last. Undefined while there is none. */
export const redoStep = (
  { done, undone }: History,
  definition: AnyDefinition,
): { history: History; definition: AnyDefinition } | undefined => {
  const step = undone.at(-1);
  if (!step) return undefined;
  const again = step.changes.map(({ part, before, after }) => ({ part, from: before, to: after }));
  return {
    history: { done: [...done, step], undone: undone.slice(0, -1) },
    definition: turn(definition, again),
  };
};
