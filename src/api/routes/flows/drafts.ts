import { requireUses } from '../../../shared/flows/check-on-thread.ts';
import { isError, type Issue } from '../../../shared/flows/definition/issues.ts';
import { getDraft, saveDraft } from '../../../shared/flows/drafts.ts';
import type { Draft } from '../../../shared/flows/queries.ts';
import {
  checkedDraft,
  definitionBody,
  draftBody,
  draftToCheck,
  newDraft,
  type DraftDefinition,
} from '../../../shared/flows/schema.ts';
import { hideTypedSecrets } from '../../../shared/flows/typed-secrets.ts';
import { showId } from '../../../shared/ids.ts';
import type { Sql } from '../../../shared/platform/db/connect.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import type { Principal } from '../../principal.ts';
import { mayAs } from '../../roles.ts';
import { readIfMatch } from '../../if-match.ts';
import { checkNow, refusesSlowDrafts } from './check-draft.ts';

/** A draft with its issues. */
export const showDraft = (flowId: string, { revision, definition }: Draft, issues: readonly Issue[]) => ({
  flow_id: showId('flow', flowId),
  revision,
  definition,
  issues: [...issues],
});

/** Who may not change a flow gets no secrets that were typed into its requests, but those in bodies. */
export const forAsker = (principal: Principal, definition: DraftDefinition): DraftDefinition =>
  mayAs('editor', principal) ? definition : hideTypedSecrets(definition);

/** What the document says of definitions that agents read. */
export const agentsSee =
  'Agents get it without values of headers, and without what looks like a secret that is typed into a url, a parameter or a form. Bodies and texts are as they were written.';

/** The draft of a flow: read, replaced, checked. */
export const addDrafts = (flows: Resource, deps: ApiDeps): void => {
  endpoint(
    flows,
    {
      id: 'getFlowDraft',
      method: 'get',
      path: '/flows/:id/draft',
      summary: 'Read the draft of a flow',
      description: agentsSee,
      role: 'agent',
      noun: 'flow',
      etag: true,
      answers: { 200: draftBody },
    },
    async ({ principal, id }) => {
      const key = { accountId: principal.accountId, id };
      const { draft, checked } = await checkNow(deps, { ...key, flowId: id, read: (sql) => getDraft(sql, key) });
      return showDraft(id, { ...draft, definition: forAsker(principal, draft.definition) }, checked.issues);
    },
  );
  endpoint(
    flows,
    {
      id: 'replaceFlowDraft',
      method: 'put',
      path: '/flows/:id/draft',
      summary: 'Replace the draft of a flow',
      description:
        'The draft may be unfinished. Send If-Match if others may write at the same time; without it you overwrite their changes.',
      role: 'editor',
      noun: 'flow',
      ...definitionBody,
      body: newDraft,
      etag: true,
      ifMatch: true,
      answers: { 200: draftBody },
      refusals: { 412: 'The draft was changed meanwhile: read it again.', ...refusesSlowDrafts },
    },
    async ({ ctx, principal: { accountId }, id, body: { definition } }) => {
      const key = { accountId, id };
      const onlyIf = readIfMatch(ctx);
      const { checked } = await checkNow(deps, { accountId, flowId: id, read: async () => ({ definition }) });
      const uses = requireUses(checked);
      const saved = await deps.transact((tx) => saveDraft(tx, key, { definition, uses, onlyIf }));
      return showDraft(id, saved, checked.issues);
    },
  );
  endpoint(
    flows,
    {
      id: 'validateFlow',
      method: 'post',
      path: '/flows/:id/validate',
      summary: 'Check a draft',
      description: 'Checks the draft you send or, without a body, the stored one. Changes nothing.',
      role: 'agent',
      noun: 'flow',
      ...definitionBody,
      body: draftToCheck,
      answers: { 200: checkedDraft },
    },
    async ({ principal: { accountId }, id, body }) => {
      const read = async (sql: Sql) => {
        const stored = await getDraft(sql, { accountId, id });
        return body ?? stored;
      };
      const { issues } = (await checkNow(deps, { accountId, flowId: id, read })).checked;
      return { valid: !issues.some(isError), issues };
    },
  );
};
