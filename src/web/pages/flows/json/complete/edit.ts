import type { Proposal, Proposals } from './proposals.ts';
import { tokenAt } from './token.ts';

type Choice = { proposal: Proposal; of: Proposals['of'] };

type Edit = { changes: { from: number; to?: number; insert: string }[]; caret: number; opensNext: boolean };

/** Puts a proposal in the place of the token at a position. A key gets the commas around it, and keeps the value that it has. */
export const editOf = (text: string, pos: number, { proposal, of }: Choice): Edit => {
  const { from, to } = tokenAt(text, pos);
  const before = text.slice(0, from).trimEnd();
  const following = text.slice(to).trimStart()[0];
  const isKey = of === 'keys';
  const hasValue = isKey && following === ':';
  const json = hasValue ? JSON.stringify(proposal.label) : proposal.json;
  const commaBefore = !isKey || /[{,]$/.test(before) ? '' : before.length === from ? ', ' : ',';
  const commaAfter = isKey && following === '"' ? ',' : '';
  return {
    changes: [
      { from: before.length, insert: commaBefore },
      { from, to, insert: json + commaAfter },
    ],
    caret: from + commaBefore.length + (hasValue ? json.length : proposal.caret),
    opensNext: proposal.opensNext && !hasValue,
  };
};
