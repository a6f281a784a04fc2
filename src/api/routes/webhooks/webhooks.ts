import type { z } from 'zod';
import type { Sql } from '../../../shared/platform/db/connect.ts';
import { requirePlan } from '../../../shared/webhooks/preconditions.ts';
import {
  createWebhook,
  deleteWebhook,
  findHostProblems,
  getVerifiableWebhook,
  getWebhook,
  prepareWebhook,
  updateWebhook,
} from '../../../shared/webhooks/manage.ts';
import { reEnabledApiBody, reEnabledBody } from '../../../shared/replays/schema.ts';
import { backlogCapOfLists, countBacklogs, noBacklog, type Backlog } from '../../../shared/webhooks/backlog.ts';
import { maskWebhook } from '../../../shared/webhooks/mask-url.ts';
import { listWebhooks, type WebhookRow, type WebhookScope } from '../../../shared/webhooks/queries.ts';
import {
  apiWebhookBody,
  apiWebhookChanges,
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
} from '../../../shared/webhooks/schema.ts';
import { checkWebhook } from '../../../shared/webhooks/verify.ts';
import { createRouter, endpoint, pathId, type ApiContext, type ApiDeps, type ApiRouter } from '../../http.ts';
import { answeredAgain, idempotently } from '../../idempotency.ts';
import { listOf, listQuery, sendList } from '../../lists.ts';
import { isEditor, requireEditor } from '../../roles.ts';
import { addReEnabling } from './re-enable.ts';

/** What differs between the doors: which webhooks are reached, and how much of them is shown. */
type Door = {
  variants: WebhookScope['variants'];
  /** In a list. */
  answer: z.ZodType;
  show: (sql: Sql, rows: readonly WebhookRow[]) => Promise<(row: WebhookRow) => object>;
  /** One that is read by itself. */
  detail: { answer: z.ZodType; show: (row: WebhookRow) => Promise<object> };
};

/** /v1 registers and manages variant A (specification 4.2); what was registered in the dashboard is not there. */
export const webhookRoutes = (deps: ApiDeps): ApiRouter => {
  const router = createRouter('Webhooks');
  const showDetail = async (sql: Sql, row: WebhookRow) => showApiWebhook(row, await backlogOf(sql, row));
  const door: Door = {
    variants: ['api'],
    answer: apiWebhookBody,
    show: async (sql, rows) => {
      const backlogs = await countBacklogs(
        sql,
        rows.map(({ id }) => id),
        { cap: backlogCapOfLists },
      );
      return (row) => showApiWebhook(row, backlogs.get(row.id) ?? noBacklog);
    },
    detail: {
      answer: apiWebhookBody,
      show: (row) => deps.reads(row.accountId, (db) => showDetail(db, row)),
    },
  };

  endpoint(
    router,
    {
      id: 'createWebhook',
      method: 'post',
      path: '/webhooks',
      summary: 'Register a webhook',
      body: newApiWebhook,
      answers: { 201: webhookBody },
    },
    async (ctx, { body }) => {
      if (await answeredAgain(ctx, deps)) return;
      const webhook = await prepareWebhook(deps, ctx.state.principal, body);
      await idempotently(ctx, deps, async ({ sql }) => ({
        status: 201,
        body: showWebhook(await createWebhook(sql, webhook)),
      }));
    },
    { findMore: findHost(deps) },
  );
  endpoint(
    router,
    {
      id: 'updateWebhook',
      method: 'patch',
      path: '/webhooks/:id',
      summary: 'Change url, events or secret',
      description:
        'In force at once, also for retries already scheduled. A secret that was replaced signs beside the new one for 24 hours, in `webhook-signature` alone. Answers what reading it does.',
      body: apiWebhookChanges,
      answers: { 200: apiWebhookBody },
    },
    async (ctx, { body: changes }) => {
      const row = await updateWebhook(deps, scopeOf(ctx, door), { id: pathId(ctx, 'webhook'), changes });
      // Not as a read, which may be refused: what was changed must be answered.
      ctx.body = await showDetail(deps.db, row);
    },
    { findMore: findHost(deps) },
  );
  addReEnabling(router, deps, {
    variants: door.variants,
    answer: reEnabledApiBody,
    show: (row, begun) => ({ ...showCheckedApiWebhook(row), ...begun }),
  });
  readAndDelete(router, deps, door);
  return router;
};

/** The dashboard registers variant B, and manages webhooks of both variants (specification 1.6, 2.4 and 3). */
export const dashboardWebhookRoutes = (deps: ApiDeps): ApiRouter => {
  const router = createRouter('Webhooks');
  const door: Door = {
    variants: ['api', 'dashboard'],
    answer: dashboardWebhookBody,
    show: async () => showDashboardWebhook,
    detail: {
      answer: dashboardWebhookDetailBody,
      show: async (row) => showDashboardWebhookDetail(row, await deps.reads(row.accountId, (db) => backlogOf(db, row))),
    },
  };

  endpoint(
    router,
    {
      id: 'createWebhook',
      method: 'post',
      path: '/webhooks',
      summary: 'Add a webhook',
      description: 'Waits for the outcome of its challenge: `status` and `last_check` tell it.',
      body: newDashboardWebhook,
      answers: { 201: dashboardWebhookBody },
    },
    async (ctx, { body }) => {
      if (await answeredAgain(ctx, deps)) return;
      const webhook = await prepareWebhook(deps, ctx.state.principal, body);
      await answerChecked(ctx, deps, { status: 201, find: (sql) => createWebhook(sql, webhook) });
    },
    { before: onlyEditors, findMore: findHost(deps) },
  );
  endpoint(
    router,
    {
      id: 'updateWebhook',
      method: 'patch',
      path: '/webhooks/:id',
      summary: 'Change url or events',
      description:
        'A changed url of a dashboard webhook waits in `pending_url` and takes force when its challenge has passed; the answer waits for the outcome.',
      body: dashboardWebhookChanges,
      answers: { 200: dashboardWebhookBody },
    },
    async (ctx, { body: changes }) => {
      const row = await updateWebhook(deps, scopeOf(ctx, door), { id: pathId(ctx, 'webhook'), changes });
      ctx.body = showDashboardWebhook(row);
    },
    { before: onlyEditors, findMore: findHost(deps) },
  );
  endpoint(
    router,
    {
      id: 'verifyWebhook',
      method: 'post',
      path: '/webhooks/:id/verify',
      summary: 'Send the challenge again',
      description: 'To `pending_url` when there is one. 200 whatever comes of it: `last_check.ok` tells.',
      answers: { 200: dashboardWebhookBody },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      const id = pathId(ctx, 'webhook');
      const find = async (sql: Sql) => {
        const webhook = await getVerifiableWebhook(sql, scopeOf(ctx, door), id);
        requirePlan(ctx.state.principal.plan);
        return webhook;
      };
      await answerChecked(ctx, deps, { status: 200, find });
    },
  );
  addReEnabling(router, deps, {
    variants: door.variants,
    answer: reEnabledBody,
    show: (row, begun) => ({ ...showDashboardWebhook(row), ...begun }),
  });
  readAndDelete(router, deps, door);
  return router;
};

/** A refused body's url is looked up, too, so that its sender learns all that is wrong at once. */
const findHost =
  ({ egress }: ApiDeps) =>
  (ctx: ApiContext, body: unknown) =>
    findHostProblems(egress, ctx.state.principal.accountId, body);

const readAndDelete = (router: ApiRouter, deps: ApiDeps, door: Door): void => {
  endpoint(
    router,
    {
      id: 'listWebhooks',
      method: 'get',
      path: '/webhooks',
      summary: 'List webhooks',
      query: listQuery,
      answers: { 200: listOf(door.answer) },
    },
    async (ctx, { query: { limit, cursor } }) => {
      const scope = scopeOf(ctx, door);
      const page = { limit: limit + 1, before: cursor };
      await deps.reads(scope.accountId, async (db) => {
        const rows = await listWebhooks(db, scope, page);
        const show = await door.show(db, rows);
        sendList(ctx, rows, limit, (row) => show(forAsker(ctx, row)));
      });
    },
  );
  endpoint(
    router,
    {
      id: 'getWebhook',
      method: 'get',
      path: '/webhooks/:id',
      summary: 'Read a webhook',
      answers: { 200: door.detail.answer },
    },
    async (ctx) => {
      const webhook = forAsker(ctx, await getWebhook(deps.db, scopeOf(ctx, door), pathId(ctx, 'webhook')));
      ctx.body = await door.detail.show(webhook);
    },
  );
  endpoint(
    router,
    {
      id: 'deleteWebhook',
      method: 'delete',
      path: '/webhooks/:id',
      summary: 'Delete a webhook',
      description: 'Its unfinished deliveries end as cancelled.',
      answers: { 204: null },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      await deleteWebhook(deps, scopeOf(ctx, door), pathId(ctx, 'webhook'));
      ctx.status = 204;
    },
  );
};

/** Before the body is looked at: what is wrong with it tells where the names in it lead. */
const onlyEditors = async (ctx: ApiContext): Promise<void> => requireEditor(ctx.state.principal);

/** Who may not change a webhook gets no tokens of its url either. */
const forAsker = (ctx: ApiContext, row: WebhookRow): WebhookRow =>
  isEditor(ctx.state.principal) ? row : maskWebhook(row);

/** Writes or finds a webhook, then asks its endpoint, with no transaction open, and answers with the outcome. */
const answerChecked = (
  ctx: ApiContext,
  deps: ApiDeps,
  { status, find }: { status: number; find: (sql: Sql) => Promise<WebhookRow> },
): Promise<void> => {
  const answer = (row: WebhookRow) => ({ status, body: showDashboardWebhook(row), row });
  return idempotently(ctx, deps, async ({ sql }) => answer(await find(sql)), {
    afterCommit: async ({ row }) => answer(await checkWebhook(deps, row)),
  });
};

const backlogOf = async (sql: Sql, { id }: WebhookRow): Promise<Backlog> =>
  (await countBacklogs(sql, [id])).get(id) ?? noBacklog;

const scopeOf = (ctx: ApiContext, { variants }: Door): WebhookScope => ({
  accountId: ctx.state.principal.accountId,
  variants,
});
