import { readOverview } from '../../shared/overview/read.ts';
import { overviewBody, showOverview, waitingBody } from '../../shared/overview/schema.ts';
import { readWaiting } from '../../shared/overview/waiting.ts';
import { withGenericPlan } from '../../shared/platform/db/plans.ts';
import { maskUrl } from '../../shared/platform/mask-url.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { mayAs } from '../roles.ts';

/** What the dashboard begins with. */
export const overviewRoutes = (deps: ApiDeps): Resource => {
  const overview = createResource(deps, {
    tag: { name: 'Overview', description: 'Everything that needs attention.' },
    doors: ['dashboard'],
  });
  endpoint(
    overview,
    {
      id: 'getOverview',
      method: 'get',
      path: '/overview',
      summary: 'Read the overview: what needs attention, and the first steps',
      role: 'agent',
      answers: { 200: overviewBody },
    },
    async ({ principal }) => {
      const { accountId } = principal;
      const read = await deps.reads(accountId, (db) =>
        withGenericPlan(db, (sql) => readOverview(sql, accountId, deps.media.quota)),
      );
      const { disabled_webhooks: disabled, failing_webhooks: failing, ...rest } = showOverview(read);
      const show = (url: string) => (mayAs('editor', principal) ? url : maskUrl(url));
      const masked = <Webhook extends { url: string }>(webhook: Webhook) => ({ ...webhook, url: show(webhook.url) });
      return {
        ...rest,
        disabled_webhooks: { ...disabled, data: disabled.data.map(masked) },
        failing_webhooks: failing.map(masked),
      };
    },
  );
  endpoint(
    overview,
    {
      id: 'getWaiting',
      method: 'get',
      path: '/overview/waiting',
      summary: 'Count unread conversations and contacts who wait for an agent',
      role: 'agent',
      answers: { 200: waitingBody },
    },
    ({ principal: { accountId } }) => deps.reads(accountId, (db) => readWaiting(db, accountId)),
  );
  return overview;
};
