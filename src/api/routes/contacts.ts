import { z } from 'zod';
import { createContact, findContact, listContacts, updateContact } from '../../shared/contacts/queries.ts';
import {
  contactBody,
  contactChanges,
  contactUpsert,
  maxCustomFields,
  newContactBody,
  showContact,
  type ContactChanges,
} from '../../shared/contacts/schema.ts';
import { upsertContact } from '../../shared/contacts/upsert.ts';
import { findFieldProblems } from '../../shared/custom-fields/take-fields.ts';
import { found } from '../../shared/errors.ts';
import type { Transaction } from '../../shared/platform/dispatch/transact.ts';
import { wakeRunsOf } from '../../shared/runs/wake-runs.ts';
import { createResource, endpoint, type FindMore, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { withCause } from '../idempotency.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

const contactsQuery = listQuery.extend({
  email: z
    .string()
    .max(254)
    .optional()
    .meta({ description: 'Only contacts with this e-mail address, in any letter case.' }),
  phone: z.string().max(20).optional().meta({ description: 'Only contacts with this phone number.' }),
});

/** The custom fields of a body that its schema refuses, if there are any and not too many. */
const withFields = z.object({
  custom_fields: z.record(z.string(), z.unknown()).refine((fields) => Object.keys(fields).length <= maxCustomFields),
});

/** The people that the account talks with. */
export const contactRoutes = (deps: ApiDeps): Resource => {
  const contacts = createResource(deps, {
    tag: { name: 'Contacts', description: 'The people that the account talks with.' },
    doors: ['v1', 'dashboard'],
  });
  // Otherwise the transaction that writes the fields looks at them.
  const findMore: FindMore = async ({ accountId }, { body, isRefused }) => {
    const read = isRefused ? withFields.safeParse(body) : undefined;
    return read?.success ? findFieldProblems(deps.db, { accountId, fields: read.data.custom_fields }) : [];
  };
  endpoint(
    contacts,
    {
      id: 'createContact',
      method: 'post',
      path: '/contacts',
      summary: 'Create a contact',
      description: 'Sends new_contact.',
      role: 'agent',
      idempotent: true,
      body: newContactBody,
      findMore,
      answers: { 201: contactBody },
    },
    async ({ tx, principal, body }) => showContact(await createContact(tx, principal.accountId, body)),
  );
  endpoint(
    contacts,
    {
      id: 'upsertContact',
      method: 'put',
      path: '/contacts',
      summary: 'Change the contact of an external id, e-mail address or phone number, or create it',
      description:
        'The contact is the one of the external id, else the one that has most of what is given. 200 when it was there, 201 for a new one, which sends new_contact.',
      role: 'agent',
      body: contactUpsert,
      findMore,
      answers: { 200: contactBody, 201: contactBody },
      refusals: {
        409: 'The keys do not name one contact: `conflict_with` has one that they name as well, and by which.',
      },
    },
    async ({ ctx, principal: { accountId }, body }) => {
      const { contact, isNew } = await deps.transact(async (tx) => {
        const written = await upsertContact(await withCause(tx, ctx), accountId, body);
        if (!written.isNew) await wakeRuns(tx, written.contact.id, body);
        return written;
      });
      if (isNew) ctx.status = 201;
      return showContact(contact);
    },
  );
  endpoint(
    contacts,
    {
      id: 'listContacts',
      method: 'get',
      path: '/contacts',
      summary: 'List contacts, newest first',
      role: 'agent',
      query: contactsQuery,
      answers: { 200: listOf(contactBody) },
    },
    ({ principal: { accountId }, query: { email, phone, ...query } }) =>
      showPage(
        query,
        (page) => deps.reads(accountId, (db) => listContacts(db, accountId, { ...page, email, phone })),
        showContact,
      ),
  );
  endpoint(
    contacts,
    {
      id: 'getContact',
      method: 'get',
      path: '/contacts/:id',
      summary: 'Read a contact',
      role: 'agent',
      noun: 'contact',
      answers: { 200: contactBody },
    },
    async ({ principal, id }) => showContact(found('contact', await findContact(deps.db, principal.accountId, id))),
  );
  endpoint(
    contacts,
    {
      id: 'updateContact',
      method: 'patch',
      path: '/contacts/:id',
      summary: 'Change a contact',
      role: 'agent',
      noun: 'contact',
      body: contactChanges,
      findMore,
      answers: { 200: contactBody },
    },
    async ({ principal: { accountId }, id, body: changes }) =>
      showContact(
        await deps.transact(async (tx) => {
          const contact = await updateContact(tx.sql, { accountId, id, changes });
          await wakeRuns(tx, id, changes);
          return contact;
        }),
      ),
  );
  return contacts;
};

/** Runs wait by the contact's clock, and while automation is paused. */
const wakeRuns = async (tx: Transaction, contactId: string, changes: ContactChanges): Promise<void> => {
  if ('time_zone' in changes || 'automation_paused_until' in changes) await wakeRunsOf(tx, contactId);
};
