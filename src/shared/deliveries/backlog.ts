import type { Sql } from '../platform/db/connect.ts';
import { backlogCap, type Backlog } from '../webhooks/schema.ts';

export const noBacklog: Backlog = { pending: 0, retrying: 0, parked: 0 };

/** Counts the backlogs of these webhooks, by UUID, on the index of unfinished deliveries. */
export const countBacklogs = async (
  sql: Sql,
  webhookIds: readonly string[],
  { cap = backlogCap }: { cap?: number } = {},
): Promise<Map<string, Backlog>> => {
  const rows = await sql<{ webhookId: string; status: keyof Backlog; count: number }[]>`
    select webhook_id, status, count
    from unnest(${[...webhookIds]}::uuid[]) as webhook (webhook_id),
      (values ('pending'), ('retrying'), ('parked')) as unfinished (status),
      lateral (
        select count(*)::int as count from (
          select from deliveries d
          where d.webhook_id = webhook.webhook_id and d.status = unfinished.status and d.status in ('pending', 'retrying', 'parked')
          limit ${cap}) counted) as counts
    where count > 0`;
  const backlogs = new Map<string, Backlog>();
  for (const { webhookId, status, count } of rows) {
    backlogs.set(webhookId, { ...(backlogs.get(webhookId) ?? noBacklog), [status]: count });
  }
  return backlogs;
};
