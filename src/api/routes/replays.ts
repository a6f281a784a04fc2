import type { Sql } from '../../shared/platform/db/connect.ts';
import { findDelivery } from '../../shared/deliveries/queries.ts';
import { replayDelivery } from '../../shared/deliveries/replay.ts';
import { deliveryBody, showDelivery } from '../../shared/deliveries/schema.ts';
import { notFound } from '../../shared/errors.ts';
import { countMatching } from '../../shared/replays/filter.ts';
import {
  changeReplay,
  getReplay,
  prepareReplay,
  replayRequests,
  scopeFilter,
  startReplay,
} from '../../shared/replays/manage.ts';
import { listReplays } from '../../shared/replays/queries.ts';
import {
  newReplay,
  readFilter,
  replayBody,
  replayPreview,
  showPreview,
  showReplay,
} from '../../shared/replays/schema.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../http.ts';
import { answeredAgain, idempotently } from '../idempotency.ts';
import { listOf, listQuery, sendList } from '../lists.ts';
import { requireEditor } from '../roles.ts';
import { scopeOf, type DeliveryDoor } from './deliveries/log.ts';

/** Replays, of one delivery and in bulk: /v1 those to webhooks of variant A, the dashboard those to both. */
export const replayRoutes = (deps: ApiDeps, door: DeliveryDoor): ApiRouter => {
  const router = createRouter('Replays');
  replayOne(router, deps, door);
  startAndRead(router, deps, door);
  for (const request of replayRequests) {
    endpoint(
      router,
      {
        id: `${request}Replay`,
        method: 'post',
        path: `/replays/:id/${request}`,
        summary: `${request[0]?.toUpperCase()}${request.slice(1)} a bulk replay`,
        description: 'What it has begun already goes on. 409 when the replay is over.',
        answers: { 200: replayBody },
      },
      async (ctx) => {
        requireEditor(ctx.state.principal);
        const id = pathId(ctx, 'replay');
        await idempotently(ctx, deps, async (tx) => ({
          status: 200,
          body: showReplay(await changeReplay(tx, scopeOf(ctx, door), { id, request })),
        }));
      },
    );
  }
  return router;
};

const replayOne = (router: ApiRouter, deps: ApiDeps, door: DeliveryDoor): void =>
  endpoint(
    router,
    {
      id: 'replayDelivery',
      method: 'post',
      path: '/deliveries/:id/replay',
      summary: 'Send a delivery again',
      description:
        'The same id and bytes, up to six attempts. 409 while it is being sent, when its webhook may not be sent to, after a hundred rounds, and for a test event.',
      answers: { 202: deliveryBody },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      const [scope, id] = [scopeOf(ctx, door), pathId(ctx, 'delivery')];
      await idempotently(ctx, deps, async (tx) => {
        await replayDelivery(tx, scope, id);
        const delivery = await findDelivery(tx.sql, scope, id);
        if (!delivery) throw notFound('delivery');
        return { status: 202, body: showDelivery(delivery, deps.workflowUrl) };
      });
    },
  );

const startAndRead = (router: ApiRouter, deps: ApiDeps, door: DeliveryDoor): void => {
  endpoint(
    router,
    {
      id: 'previewReplay',
      method: 'post',
      path: '/replays/preview',
      summary: 'Count what a bulk replay would send',
      idempotent: false,
      description: 'Changes nothing. Counted as far as 10,000.',
      body: newReplay,
      answers: { 200: replayPreview },
    },
    async (ctx, { body }) => {
      const scope = scopeOf(ctx, door);
      const { accountId } = scope;
      const count = async (sql: Sql) => countMatching(sql, accountId, await scopeFilter(sql, scope, readFilter(body)));
      ctx.body = showPreview(await deps.reads(accountId, count));
    },
  );
  endpoint(
    router,
    {
      id: 'createReplay',
      method: 'post',
      path: '/replays',
      summary: 'Replay deliveries in bulk',
      description:
        'Oldest first, `pace` a second; what is made later is not part of it. 409 when a replay of the same webhook and filter is running or paused, when the account has five such, and when the webhook is disabled.',
      body: newReplay,
      answers: { 202: replayBody },
    },
    async (ctx, { body }) => {
      requireEditor(ctx.state.principal);
      if (await answeredAgain(ctx, deps)) return;
      const scope = scopeOf(ctx, door);
      const asked = { ...readFilter(body), pace: body.pace };
      const prepared = await deps.reads(scope.accountId, (sql) => prepareReplay(sql, scope, asked));
      await idempotently(ctx, deps, async (tx) => ({
        status: 202,
        body: showReplay(await startReplay(tx, scope.accountId, prepared)),
      }));
    },
  );
  endpoint(
    router,
    {
      id: 'listReplays',
      method: 'get',
      path: '/replays',
      summary: 'List bulk replays',
      query: listQuery,
      answers: { 200: listOf(replayBody) },
    },
    async (ctx, { query: { limit, cursor } }) => {
      const scope = scopeOf(ctx, door);
      const page = { limit: limit + 1, before: cursor };
      const rows = await deps.reads(scope.accountId, (sql) => listReplays(sql, scope, page));
      sendList(ctx, rows, limit, showReplay);
    },
  );
  endpoint(
    router,
    {
      id: 'getReplay',
      method: 'get',
      path: '/replays/:id',
      summary: 'Read a bulk replay',
      answers: { 200: replayBody },
    },
    async (ctx) => {
      ctx.body = showReplay(await getReplay(deps.db, scopeOf(ctx, door), pathId(ctx, 'replay')));
    },
  );
};
