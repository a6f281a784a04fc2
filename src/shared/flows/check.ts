import type { EventName } from '../facts/names.ts';
import type { Known } from './blocks/block.ts';
import { parseDefinition } from './definition/definition.ts';
import { isError, type Issue } from './definition/issues.ts';
import { blockVersionsOf, planOf, type BlockVersions } from './definition/plan.ts';
import { validateDefinition } from './definition/validate.ts';
import type { AccountHas } from './known.ts';
import { usesOfDraft } from './uses-of-draft.ts';

/** What a version keeps beside its definition. */
export type Publishable = { isOneActive: boolean; listens: readonly EventName[]; blockVersions: BlockVersions };

/**
 * A draft that was checked: what it needs, as `usesOf` tells it, and its issues, errors first. `uses` is undefined for one that takes too long to
 * check, and `publishable` is null where there are errors.
 */
export type CheckedDraft = { uses: string[] | undefined; issues: Issue[]; publishable: Publishable | null };

/** Checks any JSON as a draft. It takes seconds for a hostile one: see `check-on-thread.ts`. */
export const checkDraft = (definition: unknown, known: Known): CheckedDraft => {
  const issues = validateDefinition(definition, known);
  return {
    uses: usesOfDraft(definition),
    issues,
    publishable: issues.some(isError) ? null : publishableOf(definition),
  };
};

const publishableOf = (definition: unknown): Publishable => {
  const parsed = parseDefinition(definition);
  return {
    isOneActive: parsed.reentry === 'one_active',
    listens: planOf(parsed).listens,
    blockVersions: blockVersionsOf(parsed),
  };
};

/** Checks a draft of an account by what the account has. */
export type CheckDraft = (accountId: string, draft: { definition: unknown; has: AccountHas }) => Promise<CheckedDraft>;

/** Checks drafts in this thread, for those who have a process to themselves. */
export const checkHere =
  (refuseUrl: Known['refuseUrl']): CheckDraft =>
  async (_accountId, { definition, has }) =>
    checkDraft(definition, { ...has, refuseUrl });
