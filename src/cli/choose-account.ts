import { findAccount, listAccounts } from '../shared/accounts/queries.ts';
import type { AccountRow } from '../shared/accounts/schema.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import { found } from '../shared/errors.ts';
import { UsageError } from './failure.ts';

/** The account that `--account` names, else the only one there is. Throws `not_found`, or `UsageError` when there are several. */
export const chooseAccount = async (sql: Sql, id: string | undefined): Promise<AccountRow> => {
  if (id !== undefined) return found('account', await findAccount(sql, id));
  const [first, ...others] = await listAccounts(sql);
  if (first === undefined) throw new UsageError('No account yet. Create one with parley accounts create.');
  if (others.length > 0) {
    throw new UsageError(
      `There are ${others.length + 1} accounts. Choose one with --account <id> (npm run -s parley -- accounts list).`,
    );
  }
  return first;
};
