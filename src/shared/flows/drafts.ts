import { found, RequestError } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { findDraft, lockFlow, updateDraft, type Draft, type FlowKey, type StoredDraft } from './queries.ts';
import type { DraftDefinition, FlowRow } from './schema.ts';
import { usesOfDraft } from './uses-of-draft.ts';

/** The draft of the account's flow; throws `not_found`. */
export const getDraft = async (sql: Sql, key: FlowKey): Promise<StoredDraft> =>
  found('flow', await findDraft(sql, key));

/** The revisions of a draft for which a change was meant; undefined for whichever there is. */
export type OnlyIf = readonly number[] | undefined;

/**
 * Replaces the draft of a flow. The same definition again changes nothing. `uses` is what it needs, where that is known already. Throws `not_found`, and `precondition_failed` when the draft has
 * another revision than is asked for.
 */
export const saveDraft = async (
  { sql, tell }: Writer,
  key: FlowKey,
  { definition, uses, onlyIf }: { definition: DraftDefinition; uses?: readonly string[]; onlyIf?: OnlyIf },
): Promise<Draft> => {
  requireRevision(found('flow', await lockFlow(sql, key)), onlyIf);
  const revision = await updateDraft(sql, key.id, { definition, uses: uses ?? usesOfDraft(definition) });
  await tell(changed(key.accountId, 'flows'));
  return { definition, revision };
};

/** Throws `precondition_failed` when the draft of a flow that is locked has none of these revisions. */
export const requireRevision = ({ draftRevision }: FlowRow, onlyIf: OnlyIf): void => {
  if (onlyIf === undefined || onlyIf.includes(draftRevision)) return;
  throw new RequestError('precondition_failed', `The draft was changed: its revision is ${draftRevision} now.`);
};
