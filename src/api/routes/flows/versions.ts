import { z } from 'zod';
import { getVersion, listVersions, restoreVersion } from '../../../shared/flows/versions.ts';
import { draftBody, showVersion, versionBody, versionDetail } from '../../../shared/flows/schema.ts';
import { found } from '../../../shared/errors.ts';
import type { Sql } from '../../../shared/platform/db/connect.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { readIfMatch } from '../../if-match.ts';
import { byNumber, createPages, listOf, readPositive } from '../../lists.ts';
import { checkNow } from './check-draft.ts';
import { agentsSee, forAsker, showDraft } from './drafts.ts';

const pages = createPages({ most: 200, usual: 50, ...byNumber('version') });

const versionParams = z.object({ version: z.string().meta({ description: 'Its number.', example: '3' }) });

/** The version that a path names; 404 for what is no number. */
const readVersion = (text: string): number => found('version', readPositive(text));

/** The versions of a flow, which never change. */
export const addVersions = (flows: Resource, deps: ApiDeps): void => {
  endpoint(
    flows,
    {
      id: 'listFlowVersions',
      method: 'get',
      path: '/flows/:id/versions',
      summary: 'List the versions of a flow, newest first',
      description: 'The latest hundred, and older ones that runs still name.',
      role: 'agent',
      noun: 'flow',
      query: pages.query,
      answers: { 200: listOf(versionBody) },
    },
    ({ principal: { accountId }, id, query }) =>
      pages.page(
        query,
        (page) => deps.reads(accountId, (sql) => listVersions(sql, { accountId, id }, page)),
        showVersion,
      ),
  );
  endpoint(
    flows,
    {
      id: 'getFlowVersion',
      method: 'get',
      path: '/flows/:id/versions/:version',
      params: versionParams,
      summary: 'Read a version of a flow',
      description: agentsSee,
      role: 'agent',
      noun: 'flow',
      answers: { 200: versionDetail },
    },
    async ({ principal, id, params }) => {
      const key = { accountId: principal.accountId, id };
      const { definition, ...row } = await getVersion(deps.db, key, readVersion(params.version));
      return { ...showVersion(row), definition: forAsker(principal, definition) };
    },
  );
  endpoint(
    flows,
    {
      id: 'restoreFlowVersion',
      method: 'post',
      path: '/flows/:id/versions/:version/restore',
      params: versionParams,
      summary: 'Restore a version as the draft',
      description: 'Overwrites the draft. Publish it so that contacts can enter.',
      role: 'editor',
      noun: 'flow',
      idempotent: true,
      ifMatch: true,
      etag: true,
      answers: { 200: draftBody },
      refusals: { 412: 'The draft was changed meanwhile.' },
    },
    {
      prepare: async ({ principal: { accountId }, id, params }) => {
        const version = readVersion(params.version);
        const read = (sql: Sql) => getVersion(sql, { accountId, id }, version);
        return (await checkNow(deps, { accountId, flowId: id, read })).checked.issues;
      },
      handle: async ({ ctx, tx, principal: { accountId }, id, params, prepared: issues }) => {
        const version = readVersion(params.version);
        const restored = await restoreVersion(tx, { accountId, id }, { version, onlyIf: readIfMatch(ctx) });
        return showDraft(id, restored, issues);
      },
    },
  );
};
