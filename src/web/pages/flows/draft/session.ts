import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnyDefinition } from '../definition-text.ts';
import type { Step } from './editing.ts';
import * as drafts from './state.ts';

/** The time, and what happens later. */
export type Clock = {
  /** In ms. */
  now: () => number;
  /** Does this after so many ms. Answers what forgets it. */
  after: (ms: number, then: () => void) => () => void;
};

/** A draft that is open in a page. */
export type Session = {
  store: StoreApi<drafts.DraftState>;
  edit: (step: Step, change: (definition: AnyDefinition) => AnyDefinition) => void;
  undo: () => void;
  redo: () => void;
  /** Takes a text of JSON while it is typed; it is read after a pause. */
  type: (text: string) => void;
  /** Reads at once what was typed. */
  readTyped: () => void;
  /** Writes the JSON as `Format` does. Leaves a text that is none. */
  format: () => void;
};

/** After so many ms without a key a text is read. */
const typingMs = 300;

/** `jsonStep` is what an edit of the JSON is to its writer. */
export const createSession = (
  begun: drafts.DraftState,
  { clock, jsonStep }: { clock: Clock; jsonStep: Step },
): Session => {
  const store = createStore<drafts.DraftState>(() => begun);
  let forget = (): void => {};
  const readTyped = (): void => {
    forget();
    store.setState((state) => drafts.readTyped(state, { step: jsonStep, at: clock.now() }));
  };
  const change = (next: (state: drafts.DraftState) => drafts.DraftState): void => {
    readTyped();
    store.setState(next);
  };
  return {
    store,
    edit: (step, edits) => change((state) => drafts.edit(state, { step, change: edits, at: clock.now() })),
    undo: () => change(drafts.undo),
    redo: () => change(drafts.redo),
    type: (text) => {
      store.setState((state) => drafts.type(state, text));
      forget();
      forget = clock.after(typingMs, readTyped);
    },
    readTyped,
    format: () => change((state) => (state.typed?.isRead === false ? state : { ...state, typed: undefined })),
  };
};
