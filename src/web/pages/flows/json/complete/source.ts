import { pickedCompletion, startCompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import { queryClient } from '../../../../api/query-client.ts';
import { editOf } from './edit.ts';
import { proposalsAt, type Proposal, type Proposals } from './proposals.ts';
import type { Schema } from './schema.ts';
import { tokenAt } from './token.ts';

/** Proposes what the JSON Schema of a definition has for the cursor's place in a text that stands between two others. */
const completeWithin =
  (before: string, after: string): CompletionSource =>
  async ({ state, pos, explicit }) => {
    const text = state.doc.toString();
    const { from, typedFrom, isQuoted } = tokenAt(text, pos);
    if (!explicit && !isQuoted && from === pos) return null;
    const schema = await readSchema();
    if (!schema) return null;
    const { of, proposals } = proposalsAt(before + text + after, before.length + pos, schema);
    if (proposals.length === 0) return null;
    const options = proposals.map((proposal, index) => optionOf(proposal, of, index));
    return { from: typedFrom, options, validFor: /^[\w.-]*$/ };
  };

/** Completes a definition. */
export const completeFlow = completeWithin('', '');

/** Completes one block of a definition that has others with these ids. */
export const completeBlock = (ids: readonly string[]): CompletionSource =>
  completeWithin(`{"blocks":[${ids.map((id) => `${JSON.stringify({ id })},`).join('')}\n`, '\n]}');

/** Without it nothing is proposed, until it can be read. */
const readSchema = (): Promise<Schema | undefined> =>
  queryClient
    .fetchQuery({
      queryKey: ['get', '/schemas/flow.json'],
      queryFn: async (): Promise<Schema> => {
        const answer = await fetch('/schemas/flow.json');
        if (!answer.ok) throw new Error(`the schema was answered ${answer.status}`);
        return answer.json();
      },
      staleTime: Infinity,
      retry: false,
    })
    .catch(() => undefined);

const optionOf = (proposal: Proposal, of: Proposals['of'], index: number): Completion => ({
  label: proposal.label,
  ...(proposal.detail && { detail: proposal.detail }),
  // Equally good ones stay in the schema's order.
  sortText: String(index).padStart(4, '0'),
  apply: (view, completion) => {
    const { state } = view;
    const edit = editOf(state.doc.toString(), state.selection.main.head, { proposal, of });
    view.dispatch({
      changes: edit.changes,
      selection: { anchor: edit.caret },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
    if (edit.opensNext) startCompletion(view);
  },
});
