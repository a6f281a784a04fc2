import type { AnyDefinition } from '../definition-text.ts';

/** What a change is to its writer: undone as one. */
export type Step = {
  /** In words, as undo tells it: "Connect success to answer". */
  label: string;
  /** Changes in a row with the same gesture are one step: a drag, a pause in typing. */
  gesture?: string;
};

/** A draft as it is being changed here. Whatever a page changes of a flow goes through `edit`. */
export type DraftEditing = {
  definition: AnyDefinition;
  /** Takes a pure function, which answers a new definition and shares with the old one what it has not changed. */
  edit: (step: Step, change: (definition: AnyDefinition) => AnyDefinition) => void;
  /** Undefined while there is nothing to undo; the label of what it would undo. */
  undo: { label: string; run: () => void } | undefined;
  redo: { label: string; run: () => void } | undefined;
};
