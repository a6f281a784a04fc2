import { findDelivery } from '../../shared/deliveries/queries.ts';
import { replayDelivery } from '../../shared/deliveries/replay.ts';
import { deliveryBody, showDelivery } from '../../shared/deliveries/schema.ts';
import { found } from '../../shared/errors.ts';
import { readFilter } from '../../shared/replays/asked-filter.ts';
import { countMatching } from '../../shared/replays/filter.ts';
import {
  changeReplay,
  getReplay,
  prepareReplay,
  replayActions,
  scopeFilter,
  startReplay,
} from '../../shared/replays/manage.ts';
import { listReplays } from '../../shared/replays/queries.ts';
import { newReplay, replayBody, replayPreview, showPreview, showReplay } from '../../shared/replays/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

/** Replays, of one delivery and in bulk: /v1 has those to webhooks of variant A, the dashboard those to both. */
export const replayRoutes = (deps: ApiDeps): Resource => {
  const replays = createResource(deps, {
    tag: { name: 'Replays', description: 'Send one delivery or many again.' },
    doors: ['v1', 'dashboard'],
  });
  addReplayOfOne(replays, deps);
  addStart(replays, deps);
  addReading(replays, deps);
  for (const action of replayActions) {
    endpoint(
      replays,
      {
        id: `${action}Replay`,
        method: 'post',
        path: `/replays/:id/${action}`,
        summary: `${action[0]?.toUpperCase()}${action.slice(1)} a bulk replay`,
        description: 'Deliveries it has started continue.',
        role: 'editor',
        noun: 'replay',
        idempotent: true,
        answers: { 200: replayBody },
        refusals: {
          403: 'The plan has no webhooks: `plan_required`.',
          409: 'When the replay is over, or its webhook may not be sent to.',
        },
      },
      async ({ tx, scope, id }) => showReplay(await changeReplay(tx, scope, { id, action }), deps.workflowUrl),
    );
  }
  return replays;
};

const addReplayOfOne = (replays: Resource, { workflowUrl }: ApiDeps): void =>
  endpoint(
    replays,
    {
      id: 'replayDelivery',
      method: 'post',
      path: '/deliveries/:id/replay',
      summary: 'Send a delivery again',
      description: 'The same id and bytes, up to six attempts.',
      role: 'editor',
      noun: 'delivery',
      idempotent: true,
      answers: { 202: deliveryBody },
      refusals: {
        403: 'The plan has no webhooks: `plan_required`.',
        409: 'While it is being sent, when its webhook may not be sent to, after a hundred rounds, and for a test event.',
      },
    },
    async ({ tx, scope, id }) => {
      await replayDelivery(tx, scope, id);
      return showDelivery(found('delivery', await findDelivery(tx.sql, scope, id)), workflowUrl);
    },
  );

const addStart = (replays: Resource, deps: ApiDeps): void => {
  endpoint(
    replays,
    {
      id: 'previewReplay',
      method: 'post',
      path: '/replays/preview',
      summary: 'Count the deliveries that a bulk replay would send',
      description: 'Changes nothing. Counted as far as 10,000.',
      role: 'agent',
      body: newReplay,
      answers: { 200: replayPreview },
      refusals: { 404: 'The account has no such webhook.' },
    },
    async ({ scope, body }) => {
      const { accountId } = scope;
      const count = await deps.reads(accountId, async (sql) =>
        countMatching(sql, accountId, await scopeFilter(sql, scope, await readFilter(sql, accountId, body))),
      );
      return showPreview(count);
    },
  );
  endpoint(
    replays,
    {
      id: 'createReplay',
      method: 'post',
      path: '/replays',
      summary: 'Replay deliveries in bulk',
      description: 'Oldest first, `pace` a second. Excludes later deliveries.',
      role: 'editor',
      idempotent: true,
      body: newReplay,
      answers: { 202: replayBody },
      refusals: {
        403: 'The plan has no webhooks: `plan_required`.',
        404: 'The account has no such webhook.',
        409: 'When a replay of the same webhook and filter is running or paused, when the account has five such, and when the webhook is disabled.',
      },
    },
    {
      prepare: async ({ scope, body }) =>
        deps.reads(scope.accountId, async (sql) =>
          prepareReplay(sql, scope, { ...(await readFilter(sql, scope.accountId, body)), pace: body.pace }),
        ),
      handle: async ({ tx, scope, prepared }) =>
        showReplay(await startReplay(tx, scope.accountId, prepared), deps.workflowUrl),
    },
  );
};

const addReading = (replays: Resource, deps: ApiDeps): void => {
  endpoint(
    replays,
    {
      id: 'listReplays',
      method: 'get',
      path: '/replays',
      summary: 'List bulk replays',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(replayBody) },
    },
    ({ scope, query }) =>
      showPage(
        query,
        (page) => deps.reads(scope.accountId, (sql) => listReplays(sql, scope, page)),
        (row) => showReplay(row, deps.workflowUrl),
      ),
  );
  endpoint(
    replays,
    {
      id: 'getReplay',
      method: 'get',
      path: '/replays/:id',
      summary: 'Read a bulk replay',
      role: 'agent',
      noun: 'replay',
      answers: { 200: replayBody },
    },
    async ({ scope, id }) => showReplay(await getReplay(deps.db, scope, id), deps.workflowUrl),
  );
};
