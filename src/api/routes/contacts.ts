import { z } from 'zod';
import { createContact, findContact, listContacts, updateContact } from '../../shared/contacts/queries.ts';
import { contactBody, contactChanges, newContactBody, showContact } from '../../shared/contacts/schema.ts';
import { notFound } from '../../shared/errors.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../http.ts';
import { idempotently } from '../idempotency.ts';
import { listOf, listQuery, sendList } from '../lists.ts';

const contactsQuery = listQuery.extend({
  email: z
    .string()
    .max(254)
    .optional()
    .meta({ description: 'Only contacts with this e-mail address, in any letter case.' }),
  phone: z.string().max(20).optional().meta({ description: 'Only contacts with this phone number.' }),
});

/** The people that the account talks with. */
export const contactRoutes = (deps: ApiDeps): ApiRouter => {
  const router = createRouter('Contacts');

  const create = {
    id: 'createContact',
    method: 'post',
    path: '/contacts',
    summary: 'Create a contact',
    description: 'Sends new_contact.',
    body: newContactBody,
    answers: { 201: contactBody },
  } as const;
  endpoint(router, create, async (ctx, { body }) =>
    idempotently(ctx, deps, async (tx) => {
      const row = await createContact(tx, ctx.state.principal.accountId, body);
      return { status: 201, body: showContact(row) };
    }),
  );

  const list = {
    id: 'listContacts',
    method: 'get',
    path: '/contacts',
    summary: 'List contacts, newest first',
    query: contactsQuery,
    answers: { 200: listOf(contactBody) },
  } as const;
  endpoint(router, list, async (ctx, { query: { limit, cursor, ...filter } }) => {
    const page = { ...filter, limit: limit + 1, before: cursor };
    const { accountId } = ctx.state.principal;
    sendList(ctx, await deps.reads(accountId, (db) => listContacts(db, accountId, page)), limit, showContact);
  });

  const read = {
    id: 'getContact',
    method: 'get',
    path: '/contacts/:id',
    summary: 'Read a contact',
    answers: { 200: contactBody },
  } as const;
  endpoint(router, read, async (ctx) => {
    const row = await findContact(deps.db, ctx.state.principal.accountId, pathId(ctx, 'contact'));
    if (!row) throw notFound('contact');
    ctx.body = showContact(row);
  });

  const update = {
    id: 'updateContact',
    method: 'patch',
    path: '/contacts/:id',
    summary: 'Change a contact',
    body: contactChanges,
    answers: { 200: contactBody },
  } as const;
  endpoint(router, update, async (ctx, { body: changes }) => {
    const id = pathId(ctx, 'contact');
    const row = await deps.transact((tx) =>
      updateContact(tx, { accountId: ctx.state.principal.accountId, id, changes }),
    );
    if (!row) throw notFound('contact');
    ctx.body = showContact(row);
  });

  return router;
};
