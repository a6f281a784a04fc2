import { z } from 'zod';
import { getFlow } from '../../shared/flows/manage.ts';
import { idOf } from '../../shared/codec.ts';
import { createVersions } from '../../shared/runs/engine/versions.ts';
import { listFailures } from '../../shared/retries/failures.ts';
import { changeRetry, getRetry, prepareRetry, retryActions, startRetry } from '../../shared/retries/manage.ts';
import { previewRequests } from '../../shared/retries/preview.ts';
import { listRetries } from '../../shared/retries/queries.ts';
import {
  flowFailuresBody,
  newRetry,
  retryBody,
  retryPreview,
  retryToPreview,
  showFailure,
  showRetry,
  showRetryPreview,
} from '../../shared/retries/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

/** Failed runs of a flow by block and reason, and what has many of them go on from there, on another version. */
export const retryRoutes = (deps: ApiDeps): Resource => {
  const retries = createResource(deps, {
    tag: { name: 'Retries', description: 'Retry the failed runs of a block in bulk, also on a newer version.' },
    doors: ['v1', 'dashboard'],
  });
  addFailures(retries, deps);
  addStart(retries, deps);
  addReading(retries, deps);
  for (const action of retryActions) {
    endpoint(
      retries,
      {
        id: `${action}Retry`,
        method: 'post',
        path: `/retries/:id/${action}`,
        summary: `${action[0]?.toUpperCase()}${action.slice(1)} a bulk retry`,
        description: 'Runs that it has retried continue.',
        role: 'editor',
        noun: 'retry',
        idempotent: true,
        answers: { 200: retryBody },
        refusals: { 409: 'When the retry is over, or its flow is paused or archived.' },
      },
      async ({ tx, principal: { accountId }, id }) =>
        showRetry(await changeRetry(tx, accountId, { id, action }), deps.workflowUrl),
    );
  }
  return retries;
};

const addFailures = (retries: Resource, deps: ApiDeps): void =>
  endpoint(
    retries,
    {
      id: 'getFlowFailures',
      method: 'get',
      path: '/flows/:id/failures',
      summary: 'Count the failed runs of a flow by block, reason and version',
      role: 'agent',
      noun: 'flow',
      answers: { 200: flowFailuresBody },
    },
    async ({ principal: { accountId }, id: flowId }) => {
      await getFlow(deps.db, { accountId, id: flowId });
      const { counted, failures } = await deps.reads(accountId, (sql) => listFailures(sql, { accountId, flowId }));
      return { counted, failures: failures.map(showFailure) };
    },
  );

type Asked = z.infer<typeof retryToPreview>;

const filterOf = (accountId: string, asked: Asked) => ({
  accountId,
  flowId: asked.flow_id,
  blockId: asked.block_id,
  version: asked.version,
  reasons: asked.reasons ?? null,
  fromVersions: asked.from_versions ?? null,
  runIds: asked.run_ids ?? null,
});

const addStart = (retries: Resource, deps: ApiDeps): void => {
  const readVersion = createVersions();
  endpoint(
    retries,
    {
      id: 'previewRetry',
      method: 'post',
      path: '/retries/preview',
      summary: 'Count the runs that a bulk retry would take, and render their first requests',
      description: 'Changes and sends nothing. Counted as far as 10,000.',
      role: 'editor',
      body: retryToPreview,
      answers: { 200: retryPreview },
      refusals: {
        404: 'The account has no such flow, or the flow no such version.',
        409: 'For a flow without a published version.',
      },
    },
    ({ principal: { accountId }, body }) =>
      deps.reads(accountId, async (sql) => {
        const prepared = await prepareRetry(sql, { ...filterOf(accountId, body), pace: 1 });
        const previewing = { sql, secrets: deps.secrets, readVersion, lastingLinkTo: deps.media.lastingLinkTo };
        return showRetryPreview(prepared, await previewRequests(previewing, prepared));
      }),
  );
  endpoint(
    retries,
    {
      id: 'createRetry',
      method: 'post',
      path: '/retries',
      summary: 'Retry the failed runs of a block in bulk',
      description:
        'Oldest first, `pace` a second: each run moves to the version, and goes on at the block as a retry does. Excludes runs that fail later.',
      role: 'editor',
      idempotent: true,
      body: newRetry,
      answers: { 202: retryBody },
      refusals: {
        404: 'The account has no such flow, or the flow no such version.',
        409: 'When the flow is paused or archived, when a bulk retry of the same block is running or paused, and when the account has five such.',
      },
    },
    {
      prepare: ({ principal: { accountId }, body }) =>
        deps.reads(accountId, (sql) => prepareRetry(sql, { ...filterOf(accountId, body), pace: body.pace })),
      handle: async ({ tx, prepared }) => showRetry(await startRetry(tx, prepared), deps.workflowUrl),
    },
  );
};

const retryFilters = {
  flow_id: idOf('flow', 'a flow').optional(),
  open: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .meta({ description: 'Only those that are running or paused, or only the others.' }),
};

const addReading = (retries: Resource, deps: ApiDeps): void => {
  endpoint(
    retries,
    {
      id: 'listRetries',
      method: 'get',
      path: '/retries',
      summary: 'List bulk retries',
      role: 'agent',
      query: listQuery.extend(retryFilters),
      answers: { 200: listOf(retryBody) },
    },
    ({ principal: { accountId }, query: { limit, cursor, ...filter } }) =>
      showPage(
        { limit, cursor },
        (page) => deps.reads(accountId, (sql) => listRetries(sql, accountId, { filter, page })),
        (row) => showRetry(row, deps.workflowUrl),
      ),
  );
  endpoint(
    retries,
    {
      id: 'getRetry',
      method: 'get',
      path: '/retries/:id',
      summary: 'Read a bulk retry',
      role: 'agent',
      noun: 'retry',
      answers: { 200: retryBody },
    },
    async ({ principal: { accountId }, id }) => showRetry(await getRetry(deps.db, accountId, id), deps.workflowUrl),
  );
};
