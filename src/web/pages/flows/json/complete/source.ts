import { pickedCompletion, startCompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import { queryClient } from '../../../../api/query-client.ts';
import { editOf } from './edit.ts';
import { proposalsAt, type Proposal, type Proposals } from './proposals.ts';
import type { Schema } from './schema.ts';
import { tokenAt } from './token.ts';

/** Proposes what the JSON Schema of a definition has for the cursor's place. */
export const completeFlow: CompletionSource = async ({ state, pos, explicit }) => {
  const text = state.doc.toString();
  const { from, isQuoted } = tokenAt(text, pos);
  if (!explicit && !isQuoted && from === pos) return null;
  const schema = await readSchema();
  if (!schema) return null;
  const { token, of, proposals } = proposalsAt(text, pos, schema);
  if (proposals.length === 0) return null;
  const options = proposals.map((proposal, index) => optionOf(proposal, of, index));
  return { from: token.typedFrom, options, validFor: /^[\w.-]*$/ };
};

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
