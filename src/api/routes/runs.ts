import { found } from '../../shared/errors.ts';
import { listRequests } from '../../shared/external-requests/queries.ts';
import { requestBody, showRequest, withoutBodies } from '../../shared/external-requests/schema.ts';
import { getFlow } from '../../shared/flows/manage.ts';
import { cancelRun } from '../../shared/runs/cancel.ts';
import { cancelRuns, retryRuns } from '../../shared/runs/in-bulk.ts';
import { enrollContact } from '../../shared/runs/enroll.ts';
import { findRun, listRuns, listSteps } from '../../shared/runs/queries.ts';
import { readStats } from '../../shared/runs/stats.ts';
import { retryRun } from '../../shared/runs/retry.ts';
import {
  enrollmentBody,
  newEnrollment,
  runBody,
  flowStatsBody,
  changedRunsBody,
  runFilters,
  runsToChange,
  showBlockStats,
  statsQuery,
  showEnrollment,
  showRun,
  showStep,
  stepBody,
} from '../../shared/runs/schema.ts';
import { createResource, endpoint, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { createPages, listOf, listQuery, shortListQuery, showPage, showShortPage } from '../lists.ts';
import { mayAs } from '../roles.ts';

/** Contacts on their way through flows. */
export const runRoutes = (deps: ApiDeps): Resource => {
  const runs = createResource(deps, {
    tag: { name: 'Runs', description: 'Contacts on their way through flows.' },
    doors: ['v1', 'dashboard'],
  });
  addEnrollment(runs);
  addReading(runs, deps);
  addActions(runs);
  addBulk(runs, deps);
  addStats(runs, deps);
  return runs;
};

const addEnrollment = (runs: Resource): void =>
  endpoint(
    runs,
    {
      id: 'enrollContact',
      method: 'post',
      path: '/contacts/:id/flows',
      summary: 'Enrol a contact in a flow',
      description: 'Answers at once; the run goes on by itself.',
      role: 'editor',
      noun: 'contact',
      idempotent: true,
      body: newEnrollment,
      answers: { 201: enrollmentBody },
      refusals: {
        404: 'There is no such contact or flow.',
        409: 'For a flow that is not live, and for a contact that is in it already.',
      },
    },
    async ({ tx, principal: { accountId }, id: contactId, body }) => {
      const { version, ...run } = await enrollContact(tx, {
        accountId,
        contactId,
        flowId: body.flow_id,
        params: body.params,
      });
      return showEnrollment({ ...run, flowVersion: version });
    },
  );

/** Steps are numbered from 1. */
const { query: stepsQuery, page: showSteps } = createPages({
  most: 200,
  usual: 50,
  readCursor: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  showCursor: ({ number }: { number: number }) => String(number),
});

const addReading = (runs: Resource, deps: ApiDeps): void => {
  endpoint(
    runs,
    {
      id: 'listRuns',
      method: 'get',
      path: '/runs',
      summary: 'List runs, newest first',
      role: 'agent',
      query: listQuery.extend(runFilters),
      answers: { 200: listOf(runBody) },
    },
    async ({ principal: { accountId }, query: { limit, cursor, ...filter } }) =>
      showPage(
        { limit, cursor },
        (page) => deps.reads(accountId, (sql) => listRuns(sql, accountId, { filter, page })),
        showRun,
      ),
  );
  endpoint(
    runs,
    {
      id: 'getRun',
      method: 'get',
      path: '/runs/:id',
      summary: 'Read a run: where it is, since when, and what it waits for',
      role: 'agent',
      noun: 'run',
      answers: { 200: runBody },
    },
    async ({ principal: { accountId }, id }) => showRun(found('run', await findRun(deps.db, accountId, id))),
  );
  endpoint(
    runs,
    {
      id: 'listRunSteps',
      method: 'get',
      path: '/runs/:id/steps',
      summary: 'List the steps of a run, the latest first',
      role: 'agent',
      noun: 'run',
      query: stepsQuery,
      answers: { 200: listOf(stepBody) },
    },
    async ({ principal: { accountId }, id, query }) => {
      found('run', await findRun(deps.db, accountId, id));
      return showSteps(query, (page) => deps.reads(accountId, (sql) => listSteps(sql, id, page)), showStep);
    },
  );
  endpoint(
    runs,
    {
      id: 'listRunRequests',
      method: 'get',
      path: '/runs/:id/requests',
      summary: 'List what a run has asked of other services, newest first: a row for each try',
      description: 'Secrets are redacted, bodies are excerpts of 16 KiB. Agents get no bodies.',
      role: 'agent',
      noun: 'run',
      query: shortListQuery,
      answers: { 200: listOf(requestBody) },
    },
    async ({ principal, id, query }) => {
      const { accountId } = principal;
      found('run', await findRun(deps.db, accountId, id));
      return showShortPage(
        query,
        (page) => deps.reads(accountId, (sql) => listRequests(sql, id, page)),
        (row) => (mayAs('editor', principal) ? showRequest(row) : withoutBodies(showRequest(row))),
      );
    },
  );
};

const addActions = (runs: Resource): void => {
  endpoint(
    runs,
    {
      id: 'cancelRun',
      method: 'post',
      path: '/runs/:id/cancel',
      summary: 'Cancel a run, and those that it has started',
      description: 'A run that has ended stays as it ended. A message that is on its way is sent.',
      role: 'editor',
      noun: 'run',
      idempotent: true,
      answers: { 200: runBody },
    },
    async ({ tx, principal: { accountId }, id }) => {
      await cancelRun(tx, { accountId, runId: id, reason: 'cancelled' });
      return showRun(found('run', await findRun(tx.sql, accountId, id)));
    },
  );
  endpoint(
    runs,
    {
      id: 'retryRun',
      method: 'post',
      path: '/runs/:id/retry',
      summary: 'Have a failed run go on at the block where it failed',
      description: 'The block is entered once more.',
      role: 'editor',
      noun: 'run',
      idempotent: true,
      answers: { 200: runBody },
      refusals: {
        409: 'For a run that has not failed, one whose call may have been carried out, and when the contact is in the flow again.',
      },
    },
    async ({ tx, principal: { accountId }, id }) => {
      await retryRun(tx, { accountId, runId: id });
      return showRun(found('run', await findRun(tx.sql, accountId, id)));
    },
  );
};

const week = 7 * 86_400_000;

const addStats = (runs: Resource, deps: ApiDeps): void =>
  endpoint(
    runs,
    {
      id: 'getFlowStats',
      method: 'get',
      path: '/flows/:id/stats',
      summary: 'How contacts went through the blocks of a flow',
      role: 'agent',
      noun: 'flow',
      query: statsQuery,
      answers: { 200: flowStatsBody },
    },
    async ({ principal: { accountId }, id: flowId, query: { since = new Date(Date.now() - week) } }) => {
      await getFlow(deps.db, { accountId, id: flowId });
      const { runs, blocks } = await deps.reads(accountId, (sql) => readStats(sql, { accountId, flowId, since }));
      return { runs, blocks: blocks.map(showBlockStats) };
    },
  );

const addBulk = (runs: Resource, { db: sql, transact }: ApiDeps): void => {
  endpoint(
    runs,
    {
      id: 'cancelRuns',
      method: 'post',
      path: '/runs/cancel',
      summary: 'Cancel the open runs of a flow',
      description: 'All of them or those at one block, 200 at a time: ask again while `more` is true.',
      role: 'editor',
      body: runsToChange,
      answers: { 200: changedRunsBody },
      refusals: { 404: 'The account has no such flow.' },
    },
    ({ principal: { accountId }, body: { flow_id: flowId, block_id: blockId } }) =>
      cancelRuns({ sql, transact }, { accountId, flowId, blockId }),
  );
  endpoint(
    runs,
    {
      id: 'retryRuns',
      method: 'post',
      path: '/runs/retry',
      summary: 'Have the failed runs of a flow go on where they failed',
      description: 'All of them or those at one block, 200 at a time: ask again while `more` is true.',
      role: 'editor',
      body: runsToChange,
      answers: { 200: changedRunsBody },
      refusals: { 404: 'The account has no such flow.' },
    },
    ({ principal: { accountId }, body: { flow_id: flowId, block_id: blockId } }) =>
      retryRuns({ sql, transact }, { accountId, flowId, blockId }),
  );
};
