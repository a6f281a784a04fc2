import { readUsage, type MediaQuota } from '../media/queries.ts';
import type { Sql } from '../platform/db/connect.ts';
import { listFailingWebhooks } from '../statistics/failing-webhooks.ts';
import { readChecklist } from './checklist.ts';
import { readBacklog, readLostDeliveries } from './deliveries.ts';
import { readFailingFlows, readHandovers, readRefusedCredentials } from './automation.ts';
import type { Overview } from './schema.ts';
import { readDisabledWebhooks } from './webhooks.ts';

const dayMs = 86_400_000;

/** What needs attention in an account, and how far a new one has come. Each part reads a bounded number of rows, by indexes. */
export const readOverview = async (sql: Sql, accountId: string, quota: MediaQuota): Promise<Overview> => {
  const since = new Date(Date.now() - dayMs);
  return {
    since,
    disabledWebhooks: await readDisabledWebhooks(sql, accountId),
    failingWebhooks: await listFailingWebhooks(sql, accountId),
    backlog: await readBacklog(sql, accountId),
    lostDeliveries: await readLostDeliveries(sql, { accountId, since }),
    failingFlows: await readFailingFlows(sql, { accountId, since }),
    refusedCredentials: await readRefusedCredentials(sql, accountId),
    handovers: await readHandovers(sql, accountId),
    files: { kept: await readUsage(sql, accountId), quota },
    checklist: await readChecklist(sql, accountId),
  };
};
