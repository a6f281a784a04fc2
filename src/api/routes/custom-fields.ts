import { changeField, createField } from '../../shared/custom-fields/manage.ts';
import { deleteField, findField, listFields } from '../../shared/custom-fields/queries.ts';
import { fieldBody, fieldChanges, newField, showField } from '../../shared/custom-fields/schema.ts';
import { found } from '../../shared/errors.ts';
import { requireUnused } from '../../shared/flows/find-uses.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { changed } from '../../shared/facts/changed.ts';

/** What an account keeps of its contacts beside what every account has. */
export const customFieldRoutes = (deps: ApiDeps): Resource => {
  const fields = createResource(deps, {
    tag: { name: 'Custom fields', description: 'Fields of contacts that an account defines, each with a type.' },
    doors: ['v1', 'dashboard'],
  });
  endpoint(
    fields,
    {
      id: 'createCustomField',
      method: 'post',
      path: '/custom-fields',
      summary: 'Create a custom field',
      description: 'The first use of an unknown key also creates its field, with the type of the value.',
      role: 'editor',
      idempotent: true,
      body: newField,
      answers: { 201: fieldBody },
      refusals: { 409: 'For a key that is taken, and beyond the most fields of an account.' },
    },
    async ({ tx, principal, body }) => showField(await createField(tx, principal.accountId, body)),
  );
  endpoint(
    fields,
    {
      id: 'listCustomFields',
      method: 'get',
      path: '/custom-fields',
      summary: 'List custom fields, newest first',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(fieldBody) },
    },
    ({ principal: { accountId }, query }) =>
      showPage(query, (page) => deps.reads(accountId, (sql) => listFields(sql, accountId, page)), showField),
  );
  endpoint(
    fields,
    {
      id: 'getCustomField',
      method: 'get',
      path: '/custom-fields/:id',
      summary: 'Read a custom field',
      role: 'agent',
      noun: 'field',
      answers: { 200: fieldBody },
    },
    async ({ principal, id }) => showField(found('custom field', await findField(deps.db, principal.accountId, id))),
  );
  endpoint(
    fields,
    {
      id: 'updateCustomField',
      method: 'patch',
      path: '/custom-fields/:id',
      summary: 'Change a custom field',
      description: 'Its key and type never change.',
      role: 'editor',
      noun: 'field',
      body: fieldChanges,
      answers: { 200: fieldBody },
    },
    async ({ principal: { accountId }, id, body: changes }) =>
      showField(await deps.transact((tx) => changeField(tx, { accountId, id, changes }))),
  );
  endpoint(
    fields,
    {
      id: 'deleteCustomField',
      method: 'delete',
      path: '/custom-fields/:id',
      summary: 'Delete a custom field',
      description: 'Contacts keep the values that they have.',
      role: 'editor',
      noun: 'field',
      answers: { 204: null },
      refusals: { 409: 'While flows use it: `details` say which.' },
    },
    ({ principal: { accountId }, id }) =>
      deps.transact(async ({ sql, tell }) => {
        const { key } = found('custom field', await findField(sql, accountId, id));
        await requireUnused(sql, accountId, { needed: `field:${key}`, what: `The custom field ${key}` });
        await deleteField(sql, id);
        await tell(changed(accountId, 'custom-fields'));
      }),
  );
  return fields;
};
