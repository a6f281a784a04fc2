import { readId, showId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { RunSnapshot } from './snapshot.ts';

/** Keeps flows as they are until the end of the transaction; ids as they are shown outside. */
export const lockFlows = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql`select from flows where id = any(${ids.map((id) => readId('flow', id))}::uuid[]) order by id for share`;
};

/** Why a flow cannot be started for this contact; null when it can. */
export const readTargets = async (
  sql: Sql,
  contactId: string,
  flowIds: readonly string[],
): Promise<RunSnapshot['targets']> => {
  if (flowIds.length === 0) return new Map();
  const rows = await sql<{ id: string; status: string; isIn: boolean }[]>`
    select f.id, f.status, exists (
        select from runs r where r.contact_id = ${contactId} and r.flow_id = f.id and r.ended_at is null and r.one_active
      ) as is_in
    from flows f where f.id = any(${[...flowIds]}::uuid[])`;
  return new Map(
    rows.map(({ id, status, isIn }) => [
      showId('flow', id),
      status !== 'live' ? `flow_${status}` : isIn ? 'already_in_flow' : null,
    ]),
  );
};
