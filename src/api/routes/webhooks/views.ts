import type { z } from 'zod';
import type { Database, Sql } from '../../../shared/platform/db/connect.ts';
import { reEnabledApiBody, reEnabledBody } from '../../../shared/replays/schema.ts';
import { readWebhookHealth } from '../../../shared/statistics/read-webhook-health.ts';
import { countBacklogs, noBacklog } from '../../../shared/deliveries/backlog.ts';
import {
  apiWebhookBody,
  apiWebhookChanges,
  backlogCapOfLists,
  dashboardWebhookBody,
  dashboardWebhookChanges,
  dashboardWebhookDetailBody,
  newApiWebhook,
  newDashboardWebhook,
  showApiWebhook,
  showCheckedApiWebhook,
  showDashboardWebhook,
  showDashboardWebhookDetail,
  showWebhook,
  webhookBody,
  type Backlog,
  type WebhookChanges,
  type WebhookRow,
} from '../../../shared/webhooks/schema.ts';

/** How webhooks are registered, changed and shown behind a door: all that differs between the two. */
export type WebhookView = {
  create: {
    summary: string;
    description?: string;
    body: z.ZodType<{ url: string; events: string[]; secret?: string }>;
    answer: z.ZodType;
    show: (row: WebhookRow) => object;
  };
  update: {
    summary: string;
    description: string;
    body: z.ZodType<WebhookChanges>;
    answer: z.ZodType;
    show: (sql: Database, row: WebhookRow) => Promise<object>;
  };
  /** In a list. */
  list: {
    answer: z.ZodType;
    show: (sql: Database, rows: readonly WebhookRow[]) => Promise<(row: WebhookRow) => object>;
  };
  /** One that is read by itself. */
  detail: { answer: z.ZodType; show: (sql: Database, row: WebhookRow) => Promise<object> };
  /** One whose endpoint was just asked. */
  checked: (row: WebhookRow) => object;
  reEnabled: z.ZodType;
};

const backlogOf = async (sql: Sql, { id }: WebhookRow): Promise<Backlog> =>
  (await countBacklogs(sql, [id])).get(id) ?? noBacklog;

/** What waits for each webhook of a list. */
const countBacklogsOfList = async (sql: Sql, rows: readonly WebhookRow[]): Promise<(row: WebhookRow) => Backlog> => {
  const ids = rows.map(({ id }) => id);
  const backlogs = await countBacklogs(sql, ids, { cap: backlogCapOfLists });
  return ({ id }) => backlogs.get(id) ?? noBacklog;
};

/** How deliveries to webhooks have gone. */
const healthOfList = (sql: Database, rows: readonly WebhookRow[]) =>
  readWebhookHealth(
    sql,
    rows.map(({ id }) => id),
  );

const showDetail = async (sql: Sql, row: WebhookRow) => showApiWebhook(row, await backlogOf(sql, row));

/** /v1 registers and manages variant A (specification 4.2); what was registered in the dashboard is not there. */
export const apiView: WebhookView = {
  create: { summary: 'Register a webhook', body: newApiWebhook, answer: webhookBody, show: showWebhook },
  update: {
    summary: 'Change the URL, events or secret of a webhook',
    description:
      'Takes effect at once, also for scheduled retries. A replaced secret also signs for 24 hours, only in `webhook-signature`.',
    body: apiWebhookChanges,
    answer: apiWebhookBody,
    show: showDetail,
  },
  list: {
    answer: apiWebhookBody,
    show: async (sql, rows) => {
      const backlogOf = await countBacklogsOfList(sql, rows);
      return (row) => showApiWebhook(row, backlogOf(row));
    },
  },
  detail: { answer: apiWebhookBody, show: showDetail },
  checked: showCheckedApiWebhook,
  reEnabled: reEnabledApiBody,
};

/** The dashboard registers variant B, and manages webhooks of both variants (specification 1.6, 2.4 and 3). */
export const dashboardView: WebhookView = {
  create: {
    summary: 'Add a webhook',
    description: 'Waits for the result of its challenge: see `status` and `last_check`.',
    body: newDashboardWebhook,
    answer: dashboardWebhookBody,
    show: showDashboardWebhook,
  },
  update: {
    summary: 'Change the URL or events of a webhook',
    description:
      'A new url of a dashboard webhook waits in `pending_url` and takes effect once it passes its challenge; the answer waits for the result.',
    body: dashboardWebhookChanges,
    answer: dashboardWebhookBody,
    show: async (_sql, row) => showDashboardWebhook(row),
  },
  list: {
    answer: dashboardWebhookDetailBody,
    show: async (sql, rows) => {
      const backlogOf = await countBacklogsOfList(sql, rows);
      const healthOf = await healthOfList(sql, rows);
      return (row) => showDashboardWebhookDetail(row, backlogOf(row), healthOf(row.id));
    },
  },
  detail: {
    answer: dashboardWebhookDetailBody,
    show: async (sql, row) => {
      const healthOf = await healthOfList(sql, [row]);
      return showDashboardWebhookDetail(row, await backlogOf(sql, row), healthOf(row.id));
    },
  },
  checked: showDashboardWebhook,
  reEnabled: reEnabledBody,
};
