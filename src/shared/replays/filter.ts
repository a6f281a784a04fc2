import type { Sql } from '../db/connect.ts';
import type { DeliveryStatus } from '../deliveries/types.ts';
import type { Variant } from '../events/names.ts';

/** A delivery that is not under way. */
export type ReplayableStatus = Exclude<DeliveryStatus, 'pending' | 'retrying'>;

/** Which deliveries a replay is about; their times are those of their ids, `since` included and `until` not, as in the log. */
export type ReplayFilter = {
  webhookId: string | null;
  variants: readonly Variant[];
  statuses: readonly ReplayableStatus[];
  since: Date | null;
  until: Date | null;
};

/** The condition on `deliveries`: the account's, of this filter, test events never. */
export const matching = (sql: Sql, accountId: string, filter: ReplayFilter) => {
  const { webhookId, variants, statuses, since, until } = filter;
  // Said literally, they let the planner use the small indexes of what was lost, parked, or not delivered.
  const lost = statuses.every((status) => status === 'failed' || status === 'dropped');
  const parked = statuses.every((status) => status === 'parked');
  const undelivered = !statuses.includes('delivered');
  return sql`
    account_id = ${accountId} and not is_test and variant = any(${[...variants]}) and status = any(${[...statuses]})
      ${webhookId === null ? sql`` : sql`and webhook_id = ${webhookId}`}
      ${lost ? sql`and status in ('failed', 'dropped')` : sql``}
      ${parked ? sql`and status = 'parked'` : sql``}
      ${undelivered ? sql`and status <> 'delivered'` : sql``}
      ${since === null ? sql`` : sql`and id >= uuid_from_time(greatest(${since}::timestamptz, 'epoch'))`}
      ${until === null ? sql`` : sql`and id < uuid_from_time(greatest(${until}::timestamptz, 'epoch'))`}`;
};

/** How many deliveries a replay of this filter would look at now. */
export const countMatching = async (sql: Sql, accountId: string, filter: ReplayFilter): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from deliveries where ${matching(sql, accountId, filter)}`;
  return row?.count ?? 0;
};
