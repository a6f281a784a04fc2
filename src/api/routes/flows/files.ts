import { z } from 'zod';
import { requireUses } from '../../../shared/flows/check-on-thread.ts';
import { exportFlow } from '../../../shared/flows/export.ts';
import { flowFile, importedFlow } from '../../../shared/flows/file.ts';
import { importFlow, localizeDraft, withFieldsOf } from '../../../shared/flows/import.ts';
import { definitionBody, showFlow } from '../../../shared/flows/schema.ts';
import { checkNow, refusesSlowDrafts } from './check-draft.ts';
import { inDigits } from '../../../shared/in-digits.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { mayAs } from '../../roles.ts';

const exportQuery = z.strictObject({
  version: inDigits(z.int().min(1).max(999_999_999))
    .optional()
    .meta({ description: 'The version; the draft if omitted.' }),
});

/** Flows as files, to be taken to another account or installation. */
export const addFiles = (flows: Resource, deps: ApiDeps): void => {
  endpoint(
    flows,
    {
      id: 'exportFlow',
      method: 'get',
      path: '/flows/:id/export',
      summary: 'Export a flow',
      description:
        'Lists the resources it refers to. Omits credentials, and likely secrets typed into a url, a header, a parameter or a form: `left_out` says where. Agents get no headers. Bodies and texts stay unchanged.',
      role: 'agent',
      noun: 'flow',
      query: exportQuery,
      answers: { 200: flowFile },
    },
    async ({ principal, id, query: { version } }) => {
      const { accountId } = principal;
      const forAgent = !mayAs('editor', principal);
      return deps.reads(accountId, (sql) => exportFlow(sql, { accountId, id }, { version, forAgent }));
    },
  );
  endpoint(
    flows,
    {
      id: 'importFlow',
      method: 'post',
      path: '/flows/import',
      summary: 'Import a flow',
      description:
        'Always creates a new flow, as a draft, with its missing custom fields; `missing` lists what you have to create or fill in.',
      role: 'editor',
      idempotent: true,
      ...definitionBody,
      body: flowFile,
      answers: { 201: importedFlow },
      refusals: { 409: 'The account has as many flows as it may.', ...refusesSlowDrafts },
    },
    {
      prepare: async ({ principal: { accountId }, body }) => {
        const { draft, checked } = await checkNow(deps, {
          accountId,
          flowId: null,
          read: async (sql, has) => ({ ...(await localizeDraft(sql, accountId, body)), has: withFieldsOf(has, body) }),
        });
        return { draft, issues: checked.issues, uses: requireUses(checked) };
      },
      handle: async ({ tx, principal: { accountId }, body, prepared: { issues, ...prepared } }) => {
        const { flow, madeFields, missing } = await importFlow(tx, accountId, body, prepared);
        return { flow: { ...showFlow(flow), issues }, made: { fields: madeFields }, missing };
      },
    },
  );
};
