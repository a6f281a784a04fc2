import { z } from 'zod';
import { found } from '../../../shared/errors.ts';
import { listRequests } from '../../../shared/external-requests/queries.ts';
import { requestBody, showRequest, showRequestToAgent } from '../../../shared/external-requests/schema.ts';
import { listRunMessages } from '../../../shared/runs/list-messages.ts';
import { findRun, listMoves, listRuns, listSteps } from '../../../shared/runs/queries.ts';
import {
  runBody,
  runDetailBody,
  runFilters,
  runMessageBody,
  showRun,
  showRunDetail,
  showRunMessage,
  showStep,
  stepBody,
} from '../../../shared/runs/schema.ts';
import { workflowIdOf } from '../../../shared/platform/temporal/workflow-id.ts';
import { countedAtMost, countOf, countRows } from '../../counts.ts';
import { endpoint } from '../../endpoint.ts';
import { createResource, type Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { byNumber, createPages, listOf, listQuery, shortListQuery, showPage, showShortPage } from '../../lists.ts';
import { mayAs } from '../../roles.ts';
import { addActions } from './actions.ts';
import { addAnalytics } from './analytics.ts';
import { addBulkActions } from './bulk-actions.ts';
import { addEnrollment } from './enrollment.ts';
import { addStats } from './stats.ts';

/** Contacts on their way through flows. */
export const runRoutes = (deps: ApiDeps): Resource => {
  const runs = createResource(deps, {
    tag: { name: 'Runs', description: 'Contacts on their way through flows.' },
    doors: ['v1', 'dashboard'],
  });
  addEnrollment(runs);
  addReading(runs, deps);
  addActions(runs);
  addBulkActions(runs, deps);
  addStats(runs, deps);
  addAnalytics(runs, deps);
  return runs;
};

/** Steps are numbered from 1. */
const { query: stepsQuery, page: showSteps } = createPages({ most: 200, usual: 50, ...byNumber('number') });

/** The cursor of a message: its step, and its place among all that came for the contact. */
const { query: messagesQuery, page: showMessages } = createPages({
  most: 200,
  usual: 50,
  readCursor: (text) => {
    const [, step, seq] = /^(\d{1,9})-(\d{1,15})$/.exec(text) ?? [];
    return step === undefined ? undefined : { step: Number(step), seq: Number(seq) };
  },
  showCursor: ({ step, seq }: { step: number; seq: number }) => `${step}-${seq}`,
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
    { ...countOf('runs'), id: 'countRuns', path: '/runs/count', query: z.strictObject(runFilters) },
    ({ principal: { accountId }, query: filter }) =>
      deps.reads(accountId, (sql) =>
        countRows(sql, listRuns(sql, accountId, { filter, page: { limit: countedAtMost } })),
      ),
  );
  endpoint(
    runs,
    {
      id: 'getRun',
      method: 'get',
      path: '/runs/:id',
      summary: 'Read a run, with its position and what it waits for',
      role: 'agent',
      noun: 'run',
      answers: { 200: runDetailBody },
    },
    async ({ principal: { accountId }, id }) => {
      const run = found('run', await findRun(deps.db, accountId, id));
      const moves = await listMoves(deps.db, id);
      return showRunDetail(run, { moves, workflowUrl: deps.workflowUrl(workflowIdOf('run', run)) });
    },
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
      id: 'listRunMessages',
      method: 'get',
      path: '/runs/:id/messages',
      summary: 'List what a run has sent and taken as answers, the latest first, and last the message that started it',
      role: 'agent',
      noun: 'run',
      query: messagesQuery,
      answers: { 200: listOf(runMessageBody) },
    },
    async ({ principal: { accountId }, id, query }) => {
      const run = found('run', await findRun(deps.db, accountId, id));
      return showMessages(
        query,
        (page) => deps.reads(accountId, (sql) => listRunMessages(sql, run, page)),
        (row) => showRunMessage(row, deps.media.linkTo),
      );
    },
  );
  endpoint(
    runs,
    {
      id: 'listRunRequests',
      method: 'get',
      path: '/runs/:id/requests',
      summary: 'List the requests of a run, newest first, with a row for each attempt',
      description:
        'Secrets are redacted, bodies are excerpts of 16 KiB. Agents get neither headers nor bodies, and urls with `…` in the place of what may be a token.',
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
        (row) => (mayAs('editor', principal) ? showRequest(row) : showRequestToAgent(row)),
      );
    },
  );
};
