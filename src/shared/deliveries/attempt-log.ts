import type { Sql } from '../platform/db/connect.ts';
import type { AttemptRow, LatestAttempts } from './schema.ts';

export type AttemptPosition = Pick<AttemptRow, 'round' | 'kind' | 'number'>;

/** The most attempts of a page, each with up to 16 KiB of an answer. A whole round has fewer. */
export const attemptsAtOnce = 50;

/** Lists attempts of a delivery, newest first. The primary key leads with the round, so that only the page and its last round are read. */
export const listAttempts = (
  sql: Sql,
  deliveryId: string,
  { limit, before }: { limit: number; before?: AttemptPosition | undefined },
): Promise<AttemptRow[]> => sql<AttemptRow[]>`
  select round, kind, number, outcome, reason, detail, status_code, started_at, duration_ms, address, request_headers, response_headers,
    response_body, response_truncated
  from attempts where delivery_id = ${deliveryId} ${before ? olderThan(sql, deliveryId, before) : sql``}
  order by round desc, started_at desc, kind desc, number desc limit ${limit}`;

const olderThan = (sql: Sql, deliveryId: string, { round, kind, number }: AttemptPosition) => sql`
  and round <= ${round} and (round, started_at, kind, number) < (${round},
    (select started_at from attempts
      where delivery_id = ${deliveryId} and round = ${round} and kind = ${kind} and number = ${number}),
    ${kind}, ${number})`;

/** Reads a page of the latest attempts, and counts all. */
export const findLatestAttempts = async (sql: Sql, deliveryId: string): Promise<LatestAttempts> => {
  const latest = await listAttempts(sql, deliveryId, { limit: attemptsAtOnce });
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from attempts where delivery_id = ${deliveryId}`;
  return { latest: latest.toReversed(), count: row?.count ?? 0 };
};
