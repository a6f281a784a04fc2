import type { z } from 'zod';
import { readAskedTime } from '../accounts/asked-time.ts';
import { invalid } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { AskedFilter } from './manage.ts';
import type { newReplay } from './schema.ts';

/** What a request asks for, as the domain has it. Throws `invalid_request` where `until` is not later than `since`. */
export const readFilter = async (
  sql: Sql,
  accountId: string,
  { webhook_id, status, ...asked }: Omit<z.infer<typeof newReplay>, 'pace'>,
): Promise<AskedFilter> => {
  const since = (await readAskedTime(sql, accountId, asked.since)) ?? null;
  const until = (await readAskedTime(sql, accountId, asked.until)) ?? null;
  if (since !== null && until !== null && since >= until)
    throw invalid({ path: 'until', message: 'must be later than since' });
  return { webhookId: webhook_id ?? null, statuses: status, since, until };
};
