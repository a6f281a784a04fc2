import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// ---- What no writer makes, because every writer takes the time of the moment.

/** Time passes for what passes have noted. */
export const ageMoves = async (sql: Sql, { days }: { days: number }): Promise<void> => {
  await sql`update block_moves set at = at - make_interval(days => ${days})`;
};

/** An hour of a block that was counted long ago; answers the hour. */
export const haveBlockHour = async (
  sql: Sql,
  {
    flowId,
    accountId,
    daysAgo,
    blockId = 'ask',
  }: { flowId: string; accountId: string; daysAgo: number; blockId?: string },
): Promise<Date> => {
  const [row] = await sql<[{ hour: Date }]>`
    insert into block_hours (flow_id, hour, version, block_id, outcome, port, account_id, count)
    values (${flowId}, date_trunc('hour', now()) - make_interval(days => ${daysAgo}), 1, ${blockId}, 'entered', '', ${accountId}, 100)
    returning hour`;
  return row.hour;
};
