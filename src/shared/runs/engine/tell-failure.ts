import { createFlowFailingMail } from '../../mail/flow-failing.ts';
import { insertMail } from '../../mail/queries.ts';
import type { Transaction } from '../../platform/dispatch/transact.ts';
import type { RunState } from './run-state.ts';
import type { ReadSnapshot } from './snapshot-row.ts';

/** Tells the account's owners that a run has failed, once an hour and flow. */
export const tellFailure = async (
  tx: Transaction,
  { row, context }: ReadSnapshot,
  { run, baseUrl, apiUrl }: { run: RunState; baseUrl: string; apiUrl: string },
): Promise<void> => {
  const { accountId, flowId } = row;
  const owners = await tx.sql<{ userId: string; recipient: string; recipientName: string | null }[]>`
    select id as user_id, email as recipient, name as recipient_name from users
    where account_id = ${accountId} and role = 'owner' order by id limit 10`;
  const failed = {
    accountId,
    flowId,
    flowName: context.flow.name,
    runId: run.id,
    blockId: run.blockId ?? '',
    reason: run.reason ?? 'unknown',
    failedAt: context.now,
  };
  for (const owner of owners) await insertMail(tx, createFlowFailingMail({ ...failed, ...owner }, { baseUrl, apiUrl }));
};
