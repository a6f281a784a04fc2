import { countBacklogs } from '../deliveries/backlog.ts';
import type { Sql } from '../platform/db/connect.ts';
import { countedUpTo, namedAtMost, readAtMost, type DisabledWebhookRow, type Overview } from './schema.ts';

/** The webhooks of an account that are disabled, with what is parked for each. */
export const readDisabledWebhooks = async (sql: Sql, accountId: string): Promise<Overview['disabledWebhooks']> => {
  const found = await sql<Omit<DisabledWebhookRow, 'parked'>[]>`
    select id, variant, url, disabled_reason, disabled_at from webhooks
    where account_id = ${accountId} and deleted_at is null and status = 'disabled'
    order by disabled_at desc, id desc limit ${namedAtMost + 1}`;
  const named = found.slice(0, namedAtMost);
  const ids = named.map(({ id }) => id);
  const backlogs = await countBacklogs(sql, ids, { cap: readAtMost });
  const rows = named.map((row) => ({ ...row, parked: countedUpTo(backlogs.get(row.id)?.parked ?? 0) }));
  return { rows, more: found.length > namedAtMost };
};
