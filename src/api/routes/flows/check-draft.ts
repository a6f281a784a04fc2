import type { CheckedDraft } from '../../../shared/flows/check.ts';
import { addTagging, readKnown, type AccountHas } from '../../../shared/flows/known.ts';
import type { DraftDefinition } from '../../../shared/flows/schema.ts';
import { limitsOf } from '../../../shared/messages/channels/kinds.ts';
import type { Sql } from '../../../shared/platform/db/connect.ts';
import type { ApiDeps } from '../../http.ts';

/** What the document says of operations that store a draft. */
export const refusesSlowDrafts = {
  422: 'The request is not valid: `details` name every problem. So it is when the definition takes more than a second of CPU time to check.',
} as const;

/** What is to be checked; ids are UUIDs, and a flow that is not stored yet has none. `read` finds the definition, and whatever comes with it. */
type ToCheck<Draft> = { accountId: string; flowId: string | null; read: (sql: Sql, has: AccountHas) => Promise<Draft> };

/** A draft that was checked, and what its account had then. */
type Checked<Draft> = { draft: Draft; checked: CheckedDraft; has: AccountHas };

/**
 * Checks a draft by what its account has now. No transaction is open meanwhile, because a check may take a second and wait for others of the
 * account. Throws what `read` throws, and `unavailable`.
 */
export const checkNow = async <Draft extends { definition: DraftDefinition; has?: AccountHas }>(
  { reads, checkDraft, channelKinds }: Pick<ApiDeps, 'reads' | 'checkDraft' | 'channelKinds'>,
  { accountId, flowId, read }: ToCheck<Draft>,
): Promise<Checked<Draft>> => {
  const { draft, has } = await reads(accountId, async (sql) => {
    const known = await readKnown(sql, { accountId, flowId, limits: limitsOf(channelKinds) });
    const found = await read(sql, known);
    const { definition } = found;
    return { draft: found, has: await addTagging(sql, { accountId, definition, has: found.has ?? known }) };
  });
  const checked = await checkDraft(accountId, { definition: draft.definition, has });
  return { draft, checked, has };
};
