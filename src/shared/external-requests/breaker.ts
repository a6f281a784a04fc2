import type { Sql } from '../platform/db/connect.ts';
import type { RequestOutcome } from './after-attempt.ts';

/** An account's view of one origin: scheme, host and port. The account's id is a UUID. */
export type Origin = { accountId: string; origin: string };

/** After so many failures one after another, none longer than this after the one before, an origin gets no requests for a while. */
const opensAfter = { failures: 10, withinMs: 600_000 };

/** How long it gets none. Each probe that fails doubles it. */
const closedFor = { firstMs: 30_000, longestMs: 300_000 };

/** Whether a request may be made. `isProbe`: the origin was failing, and this request finds out whether it still does. */
export type Admission = { type: 'go'; isProbe: boolean } | { type: 'wait'; ms: number };

/**
 * Asks whether an origin may get a request. While it is failing one request at a time probes it; a probe of which nothing comes within `probeMs` is
 * given up. Those that wait come back spread over the time after the next probe.
 */
export const enterOrigin = async (sql: Sql, { accountId, origin }: Origin, probeMs: number): Promise<Admission> => {
  const [open] = await sql<{ leftMs: number; isProbe: boolean }[]>`
    with open as (
      select extract(epoch from retry_at - clock_timestamp()) * 1000 as left_ms from origin_breakers
      where account_id = ${accountId} and origin = ${origin} and opened_at is not null
    ), probe as (
      update origin_breakers set retry_at = clock_timestamp() + ${probeMs} * interval '1 ms'
      where account_id = ${accountId} and origin = ${origin} and retry_at <= clock_timestamp()
      returning true
    )
    select left_ms::float8, exists (select from probe) as is_probe from open`;
  if (!open) return { type: 'go', isProbe: false };
  if (open.isProbe) return { type: 'go', isProbe: true };
  const leftMs = Math.max(0, open.leftMs);
  const spreadMs = Math.max(leftMs, closedFor.firstMs) * Math.random();
  return { type: 'wait', ms: Math.ceil(leftMs + spreadMs) };
};

/** What a request says of its origin: nothing where it was not asked, or answered with something that is only of no use here. */
const judge = (outcome: RequestOutcome): 'well' | 'failing' | undefined => {
  if (outcome.type === 'answered') return outcome.status >= 500 && !outcome.isSuccess ? 'failing' : 'well';
  return failures.has(outcome.reason) ? 'failing' : undefined;
};

const failures: ReadonlySet<string> = new Set(['timeout', 'dns', 'connect', 'tls', 'reset', 'protocol']);

/** Tells how a request went. Answers what that changes for the origin. Requests that were under way when it opened count for nothing. */
export const leaveOrigin = async (
  sql: Sql,
  { accountId, origin }: Origin,
  { outcome, isProbe }: { outcome: RequestOutcome; isProbe: boolean },
): Promise<'opened' | 'closed' | undefined> => {
  const judged = judge(outcome);
  if (judged === undefined) return undefined;
  if (judged === 'well') {
    const [closed] = await sql<{ wasOpen: boolean }[]>`
      delete from origin_breakers where account_id = ${accountId} and origin = ${origin}
      returning opened_at is not null as was_open`;
    return closed?.wasOpen ? 'closed' : undefined;
  }
  const [row] = await sql<{ opened: boolean }[]>`
    insert into origin_breakers as b (account_id, origin, failures) values (${accountId}, ${origin}, 1)
    on conflict (account_id, origin) do update set
      failed_at = clock_timestamp(),
      (failures, opened_at, retry_at) = (
        select n, case when n >= ${opensAfter.failures} then coalesce(b.opened_at, clock_timestamp()) end,
          case when n >= ${opensAfter.failures} then clock_timestamp() + least(${closedFor.longestMs}::float8,
            ${closedFor.firstMs}::float8 * 2 ^ least(n - ${opensAfter.failures}, 20)) * interval '1 ms' end
        from (select case when b.failed_at < clock_timestamp() - ${opensAfter.withinMs} * interval '1 ms' and b.opened_at is null
          then 1 else b.failures + 1 end) as next (n))
      where b.opened_at is null or ${isProbe}
    returning old.opened_at is null and new.opened_at is not null as opened`;
  return row?.opened ? 'opened' : undefined;
};
