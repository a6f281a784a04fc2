import { z } from 'zod';
import { changeView, createView, removeView, type ViewEditor } from '../../shared/views/manage.ts';
import { findColumns, keepColumns, listViews } from '../../shared/views/queries.ts';
import {
  listColumns,
  listName,
  newView,
  showView,
  viewBody,
  viewChanges,
  viewLimits,
  viewNoun,
} from '../../shared/views/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import type { Principal } from '../principal.ts';
import { mayAs, requireUser } from '../roles.ts';

/** How users see the dashboard's lists. */
export const viewRoutes = (deps: ApiDeps): Resource => {
  const views = createResource(deps, {
    tag: { name: 'Views', description: 'Saved views of the dashboard’s lists, and the columns that users choose.' },
    doors: ['dashboard'],
  });
  addViews(views, deps);
  addColumns(views, deps);
  return views;
};

const editorOf = (principal: Principal): ViewEditor => ({
  accountId: principal.accountId,
  userId: requireUser(principal).userId,
  isOwner: mayAs('owner', principal),
});

const refusals = {
  403: 'For a shared view, of a user who is no owner.',
  409: `When there is a view of this name, or ${viewLimits.views} of the list.`,
};

const addViews = (views: Resource, deps: ApiDeps): void => {
  endpoint(
    views,
    {
      id: 'listViews',
      method: 'get',
      path: '/views',
      summary: 'List your views and the shared ones of a list, by name',
      role: 'agent',
      query: z.strictObject({ list: listName }),
      answers: { 200: z.object({ data: z.array(viewBody), next_cursor: z.null() }) },
    },
    async ({ principal, query: { list } }) => {
      const viewer = editorOf(principal);
      const rows = await deps.reads(viewer.accountId, (sql) => listViews(sql, viewer, list));
      return { data: rows.map(showView), next_cursor: null };
    },
  );
  endpoint(
    views,
    {
      id: 'createView',
      method: 'post',
      path: '/views',
      summary: 'Save a view of a list',
      role: 'agent',
      idempotent: true,
      body: newView,
      answers: { 201: viewBody },
      refusals,
    },
    async ({ tx, principal, body }) => showView(await createView(tx.sql, editorOf(principal), body)),
  );
  endpoint(
    views,
    {
      id: 'changeView',
      method: 'patch',
      path: '/views/:id',
      summary: 'Change a view, or share it',
      role: 'agent',
      noun: viewNoun,
      body: viewChanges,
      answers: { 200: viewBody },
      refusals,
    },
    async ({ principal, id, body: changes }) =>
      showView(await deps.transact(({ sql }) => changeView(sql, editorOf(principal), { id, changes }))),
  );
  endpoint(
    views,
    {
      id: 'deleteView',
      method: 'delete',
      path: '/views/:id',
      summary: 'Delete a view',
      role: 'agent',
      noun: viewNoun,
      answers: { 204: null },
      refusals: { 403: refusals[403] },
    },
    ({ principal, id }) => deps.transact(({ sql }) => removeView(sql, editorOf(principal), id)),
  );
};

const params = z.object({ list: listName });

const addColumns = (views: Resource, deps: ApiDeps): void => {
  endpoint(
    views,
    {
      id: 'getListColumns',
      method: 'get',
      path: '/list-columns/:list',
      summary: 'Read your columns of a list',
      role: 'agent',
      params,
      answers: { 200: listColumns },
    },
    async ({ principal, params: { list } }) => ({
      columns: await findColumns(deps.db, requireUser(principal).userId, list),
    }),
  );
  endpoint(
    views,
    {
      id: 'chooseListColumns',
      method: 'put',
      path: '/list-columns/:list',
      summary: 'Choose the columns of a list',
      role: 'agent',
      params,
      body: listColumns,
      answers: { 200: listColumns },
    },
    async ({ principal, params: { list }, body: { columns } }) => {
      const { userId } = requireUser(principal);
      await deps.transact(({ sql }) => keepColumns(sql, { userId, list, columns }));
      return { columns };
    },
  );
};
