import type { Sql } from '../platform/db/connect.ts';
import type { AttemptRow, LatestAttempts } from './schema.ts';

/** Which of a delivery's attempts. */
export type AttemptPlace = Pick<AttemptRow, 'round' | 'kind' | 'number'>;

/** The most attempts that are read at once: each may hold 16 KiB of an answer. A whole round has fewer. */
export const attemptsAtOnce = 50;

/**
 * Attempts of a delivery, newest first; `before` is the one to go on from. The primary key is read round by round, so that nothing is read
 * but the page and the rest of its last round.
 */
export const listAttempts = (
  sql: Sql,
  deliveryId: string,
  { limit, before }: { limit: number; before?: AttemptPlace | undefined },
): Promise<AttemptRow[]> => sql<AttemptRow[]>`
  select round, kind, number, outcome, reason, detail, status_code, started_at, duration_ms, address, request_headers, response_headers,
    response_body, response_truncated
  from attempts where delivery_id = ${deliveryId} ${before ? olderThan(sql, deliveryId, before) : sql``}
  order by round desc, started_at desc, kind desc, number desc limit ${limit}`;

const olderThan = (sql: Sql, deliveryId: string, { round, kind, number }: AttemptPlace) => sql`
  and round <= ${round} and (round, started_at, kind, number) < (${round},
    (select started_at from attempts
      where delivery_id = ${deliveryId} and round = ${round} and kind = ${kind} and number = ${number}),
    ${kind}, ${number})`;

/** Reads the latest attempts of a delivery, as many as are read at once, and counts all. */
export const findLatestAttempts = async (sql: Sql, deliveryId: string): Promise<LatestAttempts> => {
  const latest = await listAttempts(sql, deliveryId, { limit: attemptsAtOnce });
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from attempts where delivery_id = ${deliveryId}`;
  return { latest: latest.toReversed(), count: row?.count ?? 0 };
};
