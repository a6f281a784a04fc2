import type { Sql } from '../platform/db/connect.ts';
import { askedInstant } from '../times/storable-time.ts';
import { findAccountZone } from './queries.ts';

/** The instant of a time that a list or count is asked for: without a zone it is on the account's clock. Undefined where none is given. */
export const readAskedTime = async (
  sql: Sql,
  accountId: string,
  asked: string | undefined,
): Promise<Date | undefined> =>
  asked === undefined ? undefined : askedInstant(asked, await findAccountZone(sql, accountId));
