import type { Sql } from '../platform/db/connect.ts';
import {
  countedUpTo,
  namedAtMost,
  overviewCap,
  readAtMost,
  waitingAtMost,
  type Overview,
  type RefusedCredentialRow,
  type WaitingHandoverRow,
} from './schema.ts';

/** Flows of an account of which runs have failed since then, those with the most first: of the latest runs that have failed at all. */
export const readFailingFlows = async (
  sql: Sql,
  { accountId, since }: { accountId: string; since: Date },
): Promise<Overview['failingFlows']> => {
  const rows = await sql<{ id: string; name: string; failed: number; lastFailedAt: Date; isAll: boolean }[]>`
    with latest as materialized (
      select flow_id, ended_at from runs
      where account_id = any(${[accountId]}::uuid[]) and status = 'failed' and status <> 'completed'
      order by account_id desc, id desc limit ${readAtMost}
    )
    select f.id, f.name, count(*)::int as failed, max(ended_at) as last_failed_at, (select count(*) from latest) < ${readAtMost} as is_all
    from latest join flows f on f.id = latest.flow_id
    where ended_at >= ${since}
    group by f.id, f.name order by failed desc, last_failed_at desc limit ${namedAtMost + 1}`;
  const shown = rows.slice(0, namedAtMost).map(({ id, name, failed, lastFailedAt, isAll }) => ({
    id,
    name,
    failedRuns: { count: Math.min(failed, overviewCap), more: !isAll },
    lastFailedAt,
  }));
  return { rows: shown, more: rows.length > namedAtMost };
};

/** Credentials of an account that their token endpoint has refused, the latest first. */
export const readRefusedCredentials = async (sql: Sql, accountId: string): Promise<Overview['refusedCredentials']> => {
  const rows = await sql<RefusedCredentialRow[]>`
    select c.id, c.name, o.refused_at from oauth2_clients o join credentials c on c.id = o.credential_id
    where o.account_id = ${accountId} and o.refused_at is not null
    order by o.refused_at desc, c.id desc limit ${namedAtMost + 1}`;
  return { rows: rows.slice(0, namedAtMost), more: rows.length > namedAtMost };
};

/** Open handovers of an account, and which of the oldest nobody has taken. */
export const readHandovers = async (sql: Sql, accountId: string): Promise<Overview['handovers']> => {
  type Counts = { open: number; unassigned: number; oldestUnassignedAt: Date | null };
  const oldest = sql`
    select id, contact_id, conversation_id, assigned_to, created_at from handovers
    where account_id = any(${[accountId]}::uuid[]) and status = 'open'
    order by account_id, id limit ${readAtMost}`;
  const [row] = await sql<[Counts]>`
    select count(*)::int as open, count(*) filter (where assigned_to is null)::int as unassigned,
      min(created_at) filter (where assigned_to is null) as oldest_unassigned_at
    from (${oldest}) as oldest`;
  const waiting = await sql<WaitingHandoverRow[]>`
    select h.id, h.contact_id, h.conversation_id, h.created_at, nullif(concat_ws(' ', c.first_name, c.last_name), '') as contact_name
    from (select * from (${oldest}) as oldest where assigned_to is null order by id limit ${waitingAtMost}) as h
    join contacts c on c.id = h.contact_id order by h.id`;
  const { oldestUnassignedAt } = row;
  return { open: countedUpTo(row.open), unassigned: countedUpTo(row.unassigned), oldestUnassignedAt, waiting };
};
