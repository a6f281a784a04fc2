import type { Sql } from '../platform/db/connect.ts';
import { deliveryConditions } from '../deliveries/queries.ts';
import type { DeliveryStatus } from '../deliveries/types.ts';
import type { Variant } from '../facts/names.ts';
import { isActive } from '../webhooks/preconditions.ts';
import { beyondCap } from './count.ts';

/** A delivery that is not under way. */
export type ReplayableStatus = Exclude<DeliveryStatus, 'pending' | 'retrying'>;

/** Which deliveries a replay is about. Times are those of the ids, `since` included and `until` excluded, as in the log. */
export type ReplayFilter = {
  webhookId: string | null;
  variants: readonly Variant[];
  statuses: readonly ReplayableStatus[];
  since: Date | null;
  until: Date | null;
  /** Only failed and dropped deliveries that ended after this time; null for all. */
  lostSince: Date | null;
};

/** A delivery that a replay is about to send again; ids are UUIDs. */
export type Candidate = { id: string; webhookId: string };

/** The next deliveries of this filter after `after` and up to `upTo`, oldest first. A filter without a webhook means all that may be sent to. */
export const listMatching = (
  sql: Sql,
  accountId: string,
  filter: ReplayFilter,
  { after, upTo, limit }: { after: string | null; upTo: string | null; limit: number },
): Promise<Candidate[]> => {
  const range = sql`id <= ${upTo} ${after === null ? sql`` : sql`and id > ${after}`}`;
  const found = byStatus(
    sql,
    filter,
    (statuses) => sql`
      (select id, webhook_id from deliveries where ${matching(sql, accountId, { ...filter, statuses })} and ${range}
        order by id limit ${limit})`,
  );
  return sql<Candidate[]>`select id, webhook_id from (${found}) as candidates order by id limit ${limit}`;
};

/** How many deliveries a replay of this filter would send now. `beyondCap` means that many or more. */
export const countMatching = async (sql: Sql, accountId: string, filter: ReplayFilter): Promise<number> => {
  const found = byStatus(
    sql,
    filter,
    (statuses) => sql`(select 1 from deliveries where ${matching(sql, accountId, { ...filter, statuses })})`,
  );
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select 1 from (${found}) as candidates limit ${beyondCap}) as capped`;
  return row?.count ?? 0;
};

/** SQL: the account's deliveries of this filter, of one group of statuses, without test events. */
const matching = (sql: Sql, accountId: string, { variants, ...filter }: ReplayFilter) => sql`
  ${deliveryConditions(sql, { accountId, variants }, filter)} and not is_test
    ${filter.lostSince !== null && filter.statuses.some(isLost) ? sql`and finished_at > ${filter.lostSince}` : sql``}
    ${
      filter.webhookId === null
        ? sql`and webhook_id in (
            select w.id from webhooks w
            where w.account_id = ${accountId} and w.variant = any(${[...variants]}) and ${isActive(sql)})`
        : sql``
    }`;

type Fragment = ReturnType<typeof matching>;

const lost = ['failed', 'dropped'] satisfies ReplayableStatus[];

const isLost = (status: ReplayableStatus): boolean => lost.some((one) => one === status);

/** Groups of statuses whose deliveries one index has in the order of their ids. */
const together = [lost, ['parked'], ['cancelled'], ['delivered']] satisfies ReplayableStatus[][];

/** Joins one query per group of statuses. Each is answered in order from the index of its group. */
const byStatus = (
  sql: Sql,
  { statuses }: ReplayFilter,
  query: (statuses: readonly ReplayableStatus[]) => Fragment,
): Fragment =>
  together
    .map((group) => group.filter((status) => statuses.includes(status)))
    .filter((group) => group.length > 0)
    .map(query)
    .reduce((all, next) => sql`${all} union all ${next}`);
