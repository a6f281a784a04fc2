import {
  pickedCompletion,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { choose, completingAt, filterChoices, type Completing } from './complete.ts';
import type { SampledName } from './names-context.tsx';
import { words } from './words.ts';

type ListNames = () => readonly SampledName[];

/** Completes names and filters of placeholders. The names are listed when something is completed. */
export const completeTemplate =
  (listNames: ListNames) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const completing = completingAt(state.doc.toString(), pos, { isAsked: explicit });
    if (!completing) return null;
    const options =
      completing.of === 'filter'
        ? filterChoices.map((name, index) => optionOf(name, index, words.filters[name]))
        : listNames().map((name, index) => optionOf(name.name, index, sayName(name)));
    return { from: completing.from, options, validFor: /^[\p{L}\p{N}_.-]*$/u };
  };

/** Its type, whether it is set, and what the chosen contact has. */
const sayName = ({ type, set, sample }: SampledName): string =>
  [type && words.types[type], words.sets[set], sample === undefined ? '' : words.sample(sample)]
    .filter(Boolean)
    .join(' · ');

const optionOf = (label: string, index: number, detail: string | undefined): Completion => ({
  label,
  ...(detail !== undefined && { detail }),
  sortText: String(index).padStart(4, '0'),
  apply: (view, completion) => {
    const { state } = view;
    const now: Completing | undefined = completingAt(state.doc.toString(), state.selection.main.head, {
      isAsked: true,
    });
    if (!now) return;
    const { from, to, insert, caret } = choose(now, label);
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: caret },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
    if (label.endsWith('.')) startCompletion(view);
  },
});
