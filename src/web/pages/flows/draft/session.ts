import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnyDefinition } from '../definition-text.ts';
import type { components } from '../../../api/paths.gen.d.ts';
import type { Step } from './editing.ts';
import type { Part } from './parts.ts';
import * as drafts from './state.ts';

/** What is wrong with a draft. */
export type Issue = components['schemas']['FlowIssue'];

/** The time, and what happens later. */
export type Clock = {
  /** In ms. */
  now: () => number;
  /** Does this after so many ms. Answers what forgets it. */
  after: (ms: number, then: () => void) => () => void;
};

/** How a draft is stored: `offline` when it could not be sent and is tried again, `no_json` while its text is none, `ended` after its session. */
export type Saving =
  | { is: 'saved' | 'saving' | 'offline' | 'conflict' | 'no_json' | 'ended' }
  /** `why` in words of the server. */
  | { is: 'refused'; why: string };

/** A draft that is open, and what has become of it. */
export type OpenDraft = drafts.DraftState & {
  saving: Saving;
  /** What is wrong with it, as far as it is stored. */
  issues: readonly Issue[];
  /** Whether the browser keeps what is not stored yet. */
  isKept: boolean;
};

/** A draft that is open in a page. */
export type Session = {
  store: StoreApi<OpenDraft>;
  edit: (step: Step, change: (definition: AnyDefinition) => AnyDefinition) => void;
  undo: () => void;
  redo: () => void;
  /** Takes a text of JSON while it is typed; it is read after a pause. */
  type: (text: string) => void;
  /** Reads at once what was typed. */
  readTyped: () => void;
  /** Undoes or redoes a step, unless a text was typed that is no JSON: what that takes back is its editor's matter. */
  turnText: (how: 'undo' | 'redo') => boolean;
  /** Writes the JSON as `Format` does. Leaves a text that is none. */
  format: () => void;
  /** Ends the conflict about a part. */
  choose: (part: Part, choice: Choice) => void;
};

/** After so many ms without a key a text is read. */
const typingMs = 300;

/** A part as somebody else has it, as it is here, or both as two blocks. */
export type Choice = 'theirs' | 'mine' | 'both';

/** How steps are called that nobody else names. */
export type StepNames = { json: string; theirs: (part: Part) => string; both: (part: Part) => string };

export const createSession = (begun: OpenDraft, { clock, names }: { clock: Clock; names: StepNames }): Session => {
  const store = createStore<OpenDraft>(() => begun);
  const jsonStep = { label: names.json, gesture: 'json' };
  let forget = (): void => {};
  const readTyped = (): void => {
    forget();
    if (drafts.isUnread(store.getState()))
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
    turnText: (how) => {
      readTyped();
      if (drafts.isUnread(store.getState())) return false;
      change(how === 'undo' ? drafts.undo : drafts.redo);
      return true;
    },
    format: () => change((state) => (drafts.isUnread(state) ? state : { ...state, typed: undefined })),
    choose: (part, choice) =>
      change((state) => {
        if (choice === 'mine') return drafts.keepMine(state, part);
        const chosen = { part, step: { label: names[choice](part) }, at: clock.now() };
        return choice === 'both' ? drafts.keepTwo(state, chosen) : drafts.takeTheirs(state, chosen);
      }),
  };
};
