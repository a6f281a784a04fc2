import { limitsOf } from '../../../shared/messages/channels/kinds.ts';
import {
  createFlow,
  changeFlow,
  flowActions,
  getFlow,
  renameFlow,
  type FlowAction,
} from '../../../shared/flows/manage.ts';
import { requireUses } from '../../../shared/flows/check-on-thread.ts';
import { getDraft } from '../../../shared/flows/drafts.ts';
import { publishFlow } from '../../../shared/flows/publish.ts';
import { listFlows } from '../../../shared/flows/queries.ts';
import {
  countedFlowBody,
  definitionBody,
  flowBody,
  flowChanges,
  flowFilters,
  flowWithIssues,
  newFlow,
  publishing,
  showCountedFlow,
  showFlow,
} from '../../../shared/flows/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { createResource, type Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { readIfMatch } from '../../if-match.ts';
import { listOf, listQuery, showPage } from '../../lists.ts';
import { checkNow, refusesSlowDrafts } from './check-draft.ts';
import { addDrafts } from './drafts.ts';
import { addDuplicate } from './duplicate.ts';
import { addFiles } from './files.ts';
import { addLastResponse } from './last-response.ts';
import { checkScenarios } from './run-scenario.ts';
import { addScenarios } from './scenarios.ts';
import { addSimulate } from './simulate.ts';
import { addTestRequest } from './test-request.ts';
import { addTriggers } from './triggers.ts';
import { addVersions } from './versions.ts';

/** Automated conversations. */
export const flowRoutes = (deps: ApiDeps): Resource => {
  const flows = createResource(deps, {
    tag: { name: 'Flows', description: 'Automated conversations: drafts, versions, and what starts them.' },
    doors: ['v1', 'dashboard'],
  });
  addFlows(flows, deps);
  addDrafts(flows, deps);
  addPublishing(flows, deps);
  addVersions(flows, deps);
  addFiles(flows, deps);
  addTriggers(flows, deps);
  addTestRequest(flows, deps);
  addLastResponse(flows, deps);
  addSimulate(flows, deps);
  addScenarios(flows, deps);
  addDuplicate(flows, deps);
  return flows;
};

const addFlows = (flows: Resource, deps: ApiDeps): void => {
  endpoint(
    flows,
    {
      id: 'createFlow',
      method: 'post',
      path: '/flows',
      summary: 'Create a flow',
      description:
        'The draft may be unfinished: `issues` lists what is missing. Contacts cannot enter before you publish it.',
      role: 'editor',
      idempotent: true,
      ...definitionBody,
      body: newFlow,
      answers: { 201: flowWithIssues },
      refusals: { 409: 'The account has as many flows as it may.', ...refusesSlowDrafts },
    },
    {
      prepare: async ({ principal: { accountId }, body }) => {
        const { checked } = await checkNow(deps, { accountId, flowId: null, read: async () => body });
        return { issues: checked.issues, uses: requireUses(checked) };
      },
      handle: async ({ tx, principal: { accountId }, body, prepared: { issues, uses } }) => {
        const flow = await createFlow(tx, accountId, { ...body, uses });
        return { ...showFlow(flow), issues };
      },
    },
  );
  endpoint(
    flows,
    {
      id: 'listFlows',
      method: 'get',
      path: '/flows',
      summary: 'List flows, newest first',
      role: 'agent',
      query: listQuery.extend(flowFilters),
      answers: { 200: listOf(countedFlowBody) },
    },
    ({ principal: { accountId }, query: { status, ...query } }) =>
      showPage(
        query,
        (page) => deps.reads(accountId, (sql) => listFlows(sql, accountId, { ...page, status })),
        showCountedFlow,
      ),
  );
  endpoint(
    flows,
    {
      id: 'getFlow',
      method: 'get',
      path: '/flows/:id',
      summary: 'Read a flow',
      role: 'agent',
      noun: 'flow',
      answers: { 200: flowBody },
    },
    async ({ principal: { accountId }, id }) => showFlow(await getFlow(deps.db, { accountId, id })),
  );
  endpoint(
    flows,
    {
      id: 'updateFlow',
      method: 'patch',
      path: '/flows/:id',
      summary: 'Rename a flow',
      role: 'editor',
      noun: 'flow',
      body: flowChanges,
      answers: { 200: flowBody },
    },
    async ({ principal: { accountId }, id, body: { name } }) =>
      showFlow(await deps.autocommit((statement) => renameFlow(statement, { accountId, id }, name))),
  );
};

const actions = {
  pause: {
    summary: 'Pause a flow',
    description: 'No contact can enter. Open runs wait at their next block.',
    conflict: 'When it is not live.',
  },
  resume: {
    summary: 'Resume a flow',
    description: 'Sets it live again; waiting contacts continue.',
    conflict: 'When it is not paused.',
  },
  archive: {
    summary: 'Archive a flow',
    description: 'No contact can enter. Open runs continue to the end.',
    conflict: 'When it is in the archive, or a published flow starts it.',
  },
  unarchive: {
    summary: 'Unarchive a flow',
    description: 'Turns it into a draft: publish it so that contacts can enter.',
    conflict: 'When it is not in the archive, or the account has as many flows as it may.',
  },
} as const satisfies Record<FlowAction, object>;

const addPublishing = (flows: Resource, deps: ApiDeps): void => {
  endpoint(
    flows,
    {
      id: 'publishFlow',
      method: 'post',
      path: '/flows/:id/publish',
      summary: 'Publish the draft of a flow',
      description:
        'New contacts enter this version; contacts in earlier ones stay there. An unchanged draft creates no version. `issues` are warnings, such as a failing scenario. A paused flow stays paused.',
      role: 'editor',
      noun: 'flow',
      body: publishing,
      idempotent: true,
      ifMatch: true,
      answers: { 200: flowWithIssues },
      refusals: {
        409: 'The flow is archived, or the account has too many live triggers.',
        412: 'The draft was changed meanwhile.',
        422: 'There are errors: `details` have every issue, with `severity`, `code`, `block_id`, `path`, `message` and `hint`.',
      },
    },
    {
      prepare: async ({ principal: { accountId }, id }) => {
        const key = { accountId, id };
        const { draft, checked, has } = await checkNow(deps, {
          accountId,
          flowId: id,
          read: (sql) => getDraft(sql, key),
        });
        const { uses, publishable } = checked;
        const walked = uses && publishable && { definition: draft.definition, uses };
        const warnings = walked ? await checkScenarios(deps, key, { walked }) : [];
        return { ...checked, has, revision: draft.revision, warnings };
      },
      handle: async ({ ctx, tx: { sql, tell }, principal: { accountId, userId: by }, id, body, prepared }) => {
        const { warnings, ...before } = prepared;
        const { egress, checkDraft: check, channelKinds } = deps;
        const options = {
          onlyIf: readIfMatch(ctx),
          before,
          check,
          limits: limitsOf(channelKinds),
          by,
          note: body?.note,
        };
        const { flow, issues } = await publishFlow(
          { sql, tell, refuseUrl: egress.refuseUrl },
          { accountId, id },
          options,
        );
        return { ...showFlow(flow), issues: [...issues, ...warnings] };
      },
    },
  );
  for (const action of flowActions) {
    const { conflict, ...told } = actions[action];
    endpoint(
      flows,
      {
        ...told,
        id: `${action}Flow`,
        method: 'post',
        path: `/flows/:id/${action}`,
        role: 'editor',
        noun: 'flow',
        idempotent: true,
        answers: { 200: flowBody },
        refusals: { 409: conflict },
      },
      async ({ tx, principal: { accountId }, id }) => showFlow(await changeFlow(tx, { accountId, id }, action)),
    );
  }
};
