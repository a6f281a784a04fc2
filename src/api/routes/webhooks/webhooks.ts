import { deleteWebhook } from '../../../shared/deliveries/delete-webhook.ts';
import { createWebhook, getWebhook, prepareWebhook, updateWebhook } from '../../../shared/webhooks/manage.ts';
import { maskWebhook } from '../../../shared/webhooks/mask-webhook.ts';
import { listWebhooks } from '../../../shared/webhooks/queries.ts';
import { webhooksPerAccount, type WebhookRow } from '../../../shared/webhooks/schema.ts';
import { findUrlProblemsOfBody } from '../../../shared/signing/url.ts';
import { checkWebhook } from '../../../shared/webhooks/verify.ts';
import { withWarnings } from '../../../shared/warnings.ts';
import { endpoint } from '../../endpoint.ts';
import { createResource, type DoorName, type FindMore, type Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import type { Principal } from '../../principal.ts';
import { listOf, listQuery, showPage } from '../../lists.ts';
import { mayAs } from '../../roles.ts';
import { addSignatureChecks } from './check-signature.ts';
import { addReEnabling } from './re-enable.ts';
import { addTestEvents } from './test-event.ts';
import { addVerifying } from './verify.ts';
import { apiView, dashboardView, type WebhookView } from './views.ts';

/** Webhooks of variant A, as /v1 has them. */
export const webhookRoutes = (deps: ApiDeps): Resource => createWebhookResource(deps, apiView, 'v1');

/** Webhooks of both variants, as the dashboard has them; only there is a challenge asked for. */
export const dashboardWebhookRoutes = (deps: ApiDeps): Resource => {
  const webhooks = createWebhookResource(deps, dashboardView, 'dashboard');
  addVerifying(webhooks, deps);
  return webhooks;
};

const createWebhookResource = (deps: ApiDeps, view: WebhookView, door: DoorName): Resource => {
  const webhooks = createResource(deps, {
    tag: { name: 'Webhooks', description: 'Registrations: where events go.' },
    doors: [door],
  });
  addWriting(webhooks, deps, view);
  addReEnabling(webhooks, deps, view);
  addReading(webhooks, deps, view);
  addTestEvents(webhooks, deps);
  addSignatureChecks(webhooks, deps);
  return webhooks;
};

/** What users type, and may type otherwise than they mean. */
const entered = { urls: ['url'], secrets: ['secret'] };

const addWriting = (webhooks: Resource, deps: ApiDeps, { create, update }: WebhookView): void => {
  /** Of a url, so that its sender learns all that is wrong at once. */
  const findMore: FindMore = ({ accountId }, given) => findUrlProblemsOfBody(deps.egress, { accountId, ...given });
  const { show, answer, ...created } = create;
  endpoint(
    webhooks,
    {
      ...created,
      id: 'createWebhook',
      method: 'post',
      path: '/webhooks',
      role: 'editor',
      idempotent: true,
      findMore,
      answers: { 201: answer },
      refusals: {
        403: 'The plan has no webhooks: `plan_required`.',
        409: `When the account has ${webhooksPerAccount.present} webhooks, or ${webhooksPerAccount.withDeleted} with those that were deleted and whose deliveries are still in the log.`,
      },
    },
    {
      prepare: async ({ principal, body }) => prepareWebhook(deps, principal, body),
      handle: async ({ tx, afterCommit, prepared, body }) => {
        const row = await createWebhook(tx, prepared);
        const tell = (shown: object) => withWarnings(shown, body, entered);
        // Variant B is asked for its consent, with no transaction open.
        if (row.variant === 'dashboard') afterCommit(async () => tell(show(await checkWebhook(deps, row))));
        return tell(show(row));
      },
    },
  );
  endpoint(
    webhooks,
    {
      id: 'updateWebhook',
      method: 'patch',
      path: '/webhooks/:id',
      summary: update.summary,
      description: update.description,
      role: 'editor',
      noun: 'webhook',
      body: update.body,
      findMore,
      answers: { 200: update.answer },
    },
    async ({ scope, id, body: changes }) => {
      const row = await updateWebhook(deps, scope, { id, changes });
      // Not as a read, which may be refused: what was changed must be answered.
      return withWarnings(await update.show(deps.db, row), changes, entered);
    },
  );
};

const addReading = (webhooks: Resource, deps: ApiDeps, { list, detail }: WebhookView): void => {
  endpoint(
    webhooks,
    {
      id: 'listWebhooks',
      method: 'get',
      path: '/webhooks',
      summary: 'List webhooks',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(list.answer) },
    },
    ({ principal, scope, query }) =>
      showPage(
        query,
        (page) =>
          deps.reads(scope.accountId, async (db) => {
            const rows = await listWebhooks(db, scope, page);
            const show = await list.show(db, rows);
            return rows.map((row) => ({ id: row.id, shown: show(forAsker(principal, row)) }));
          }),
        ({ shown }) => shown,
      ),
  );
  endpoint(
    webhooks,
    {
      id: 'getWebhook',
      method: 'get',
      path: '/webhooks/:id',
      summary: 'Read a webhook',
      role: 'agent',
      noun: 'webhook',
      answers: { 200: detail.answer },
    },
    async ({ principal, scope, id }) => {
      const row = forAsker(principal, await getWebhook(deps.db, scope, id));
      return deps.reads(scope.accountId, (db) => detail.show(db, row));
    },
  );
  endpoint(
    webhooks,
    {
      id: 'deleteWebhook',
      method: 'delete',
      path: '/webhooks/:id',
      summary: 'Delete a webhook',
      description: 'Its unfinished deliveries end as cancelled.',
      role: 'editor',
      noun: 'webhook',
      answers: { 204: null },
    },
    ({ scope, id }) => deleteWebhook(deps, scope, id),
  );
};

/** Who may not change a webhook gets no tokens of its url either, nor what its endpoint answered. */
const forAsker = (principal: Principal, row: WebhookRow): WebhookRow =>
  mayAs('editor', principal) ? row : maskWebhook(row);
