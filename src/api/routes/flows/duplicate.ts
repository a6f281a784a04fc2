import { requireUses } from '../../../shared/flows/check-on-thread.ts';
import { getDraft } from '../../../shared/flows/drafts.ts';
import { createFlow, getFlow } from '../../../shared/flows/manage.ts';
import { flowWithIssues, showFlow } from '../../../shared/flows/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { ApiDeps } from '../../http.ts';
import type { Resource } from '../../resource.ts';
import { checkNow, refusesSlowDrafts } from './check-draft.ts';

/** As much of a name as leaves room for what marks a copy, in characters. */
const keptOfName = 190;

/** A new flow with the draft of another one. */
export const addDuplicate = (flows: Resource, deps: ApiDeps): void =>
  endpoint(
    flows,
    {
      id: 'duplicateFlow',
      method: 'post',
      path: '/flows/:id/duplicate',
      summary: 'Duplicate a flow',
      description: 'A new flow, named "… (copy)", with the draft of this one. Publish it so that contacts can enter.',
      role: 'editor',
      noun: 'flow',
      idempotent: true,
      answers: { 201: flowWithIssues },
      refusals: { 409: 'The account has as many flows as it may.', ...refusesSlowDrafts },
    },
    {
      prepare: async ({ principal: { accountId }, id }) => {
        const key = { accountId, id };
        const { name } = await getFlow(deps.db, key);
        const { draft, checked } = await checkNow(deps, { accountId, flowId: null, read: (sql) => getDraft(sql, key) });
        const copied = `${name
          .slice(0, keptOfName)
          .replace(/[\ud800-\udbff]$/, '')
          .trim()} (copy)`;
        const { definition } = draft;
        return { issues: checked.issues, flow: { name: copied, definition, uses: requireUses(checked) } };
      },
      handle: async ({ tx, principal: { accountId }, prepared: { issues, flow } }) => ({
        ...showFlow(await createFlow(tx, accountId, flow)),
        issues,
      }),
    },
  );
