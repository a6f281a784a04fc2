import { readAskedTime } from '../../shared/accounts/asked-time.ts';
import { lineOfKeys } from '../../shared/contacts/keys.ts';
import { z } from 'zod';
import { askedCondition, readConditions } from '../../shared/contacts/field-conditions.ts';
import { listContacts, type ListedContactRow, type Place } from '../../shared/contacts/find-contacts.ts';
import { createContact, findContact, updateContact } from '../../shared/contacts/queries.ts';
import {
  contactBody,
  contactChanges,
  contactFilters,
  contactUpsert,
  maxCustomFields,
  newContactBody,
  showContact,
  type ContactChanges,
} from '../../shared/contacts/schema.ts';
import { findPhoneProblems, getPhoneBeginnings, getPhoneForms } from '../../shared/contacts/phones.ts';
import { upsertContact } from '../../shared/contacts/upsert.ts';
import { idOf } from '../../shared/codec.ts';
import { findFieldProblems } from '../../shared/custom-fields/take-fields.ts';
import { found } from '../../shared/errors.ts';
import type { Transaction } from '../../shared/platform/dispatch/transact.ts';
import { phoneLength } from '../../shared/typed/phone-length.ts';
import { tagName } from '../../shared/tags/schema.ts';
import { withGenericPlan, withOwnPlan } from '../../shared/platform/db/plans.ts';
import { wakeRunsOf } from '../../shared/runs/wake-runs.ts';
import { listTimeline } from '../../shared/timeline/list-timeline.ts';
import { timelineEntry } from '../../shared/timeline/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type FindMore, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { withCause } from '../idempotency.ts';
import { byId, createPages, listOf, shortListQuery, showShortPage } from '../lists.ts';
import { mayAs } from '../roles.ts';

/** The most tags, and the most conditions on custom fields, of a list. */
const conditionsAtMost = 5;

/** In an order other than that of the ids a cursor also says the place, which is as long as a name. */
const pages = createPages({
  most: 200,
  usual: 50,
  cursorLength: 2_500,
  readCursor: (text): Place | undefined => {
    const [id = '', place] = text.split('.', 2);
    const uuid = byId.readCursor(id);
    const at = place === undefined ? null : readPlace(place);
    return uuid === undefined || at === undefined ? undefined : { id: uuid, at };
  },
  showCursor: ({ id, at }: Place) =>
    [byId.showCursor({ id }), ...(at === null ? [] : [Buffer.from(at).toString('base64url')])].join('.'),
});

const readPlace = (text: string): string | undefined => {
  const place = Buffer.from(text, 'base64url').toString();
  return Buffer.from(place).toString('base64url') === text && !place.includes('\0') ? place : undefined;
};

/** The most ids of a list: as many as an address has room for. */
const idsAtMost = 100;

const contactsQuery = pages.query
  .extend({
    ...contactFilters,
    id: z
      .array(idOf('contact', 'a contact'))
      .max(idsAtMost)
      .optional()
      .meta({ description: `Only this contact. Repeated up to ${idsAtMost} times: only these.` }),
    tag: z
      .array(tagName)
      .max(conditionsAtMost)
      .optional()
      .meta({
        description: `Only contacts with this tag, in any letter case. Repeated up to ${conditionsAtMost} times: with all of them.`,
      }),
    field: z
      .array(askedCondition)
      .max(conditionsAtMost)
      .optional()
      .meta({
        description: `A condition on a custom field, as \`size:eq:M\`. Repeated up to ${conditionsAtMost} times: all of them hold.`,
      }),
  })
  .refine(
    ({ cursor, search, updated_after: since }) =>
      cursor === undefined || (search === undefined ? since === undefined || isChange(cursor.at) : cursor.at !== null),
    { path: ['cursor'], error: 'is the cursor of another list' },
  );

/** Whether a cursor says the moment of a change, in microseconds. */
const isChange = (at: string | null): boolean => at !== null && /^\d{1,16}$/.test(at);

/** The custom fields of a body that its schema refuses, if there are any and not too many. */
const withFields = z.object({
  custom_fields: z.record(z.string(), z.unknown()).refine((fields) => Object.keys(fields).length <= maxCustomFields),
});

/** The phone number of such a body. */
const withPhone = z.object({ phone: z.string().min(1).max(phoneLength) });

/** The people that the account talks with. */
export const contactRoutes = (deps: ApiDeps): Resource => {
  const contacts = createResource(deps, {
    tag: { name: 'Contacts', description: 'The people that the account talks with.' },
    doors: ['v1', 'dashboard'],
  });
  // Otherwise the transaction that writes the fields looks at them.
  const findMore: FindMore = async ({ accountId }, { body, isRefused }) => {
    if (!isRefused) return [];
    const fields = withFields.safeParse(body);
    const phone = withPhone.safeParse(body);
    return [
      ...(fields.success ? await findFieldProblems(deps.db, { accountId, fields: fields.data.custom_fields }) : []),
      ...(phone.success ? await findPhoneProblems(deps.db, accountId, phone.data.phone) : []),
    ];
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
      refusals: { 409: 'Another contact has this external_id: `conflict_with` names it.' },
    },
    {
      line: ({ body }) => lineOfKeys(body),
      handle: async ({ tx, principal, body }) => showContact(await createContact(tx, principal.accountId, body)),
    },
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
    {
      line: ({ body }) => lineOfKeys(body),
      handle: async ({ ctx, principal: { accountId }, body }) => {
        const { contact, isNew } = await deps.transact(async (tx) => {
          const written = await upsertContact(await withCause(tx, ctx), accountId, body);
          if (!written.isNew) await wakeRuns(tx, written.contact.id, body);
          return written;
        });
        if (isNew) ctx.status = 201;
        return showContact(contact);
      },
    },
  );
  endpoint(
    contacts,
    {
      id: 'listContacts',
      method: 'get',
      path: '/contacts',
      summary: 'List contacts, newest first',
      description: 'In another order where `search` or `updated_after` is given.',
      role: 'agent',
      query: contactsQuery,
      answers: { 200: listOf(contactBody) },
    },
    ({
      principal: { accountId },
      query: { limit, cursor, field = [], phone, search: text, updated_after, ...filter },
    }) =>
      pages.page(
        { limit, cursor },
        (page) =>
          deps.reads(accountId, (db) =>
            withOwnPlan(db, async (sql) => {
              const conditions = await readConditions(sql, accountId, field);
              const phones =
                phone === undefined ? undefined : await getPhoneForms(sql, accountId, { phone, path: 'phone' });
              const search =
                text === undefined ? undefined : { text, phones: await getPhoneBeginnings(sql, accountId, text) };
              const changedAfter = await readAskedTime(sql, accountId, updated_after);
              return listContacts(sql, accountId, {
                filter: { ...filter, updated_after: changedAfter, phone: phones, search, conditions },
                ...page,
              });
            }),
          ),
        (row: ListedContactRow) => showContact(row),
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
      refusals: { 409: 'Another contact has this external_id: `conflict_with` names it.' },
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
  addTimeline(contacts, deps);
  return contacts;
};

const addTimeline = (contacts: Resource, { reads }: ApiDeps): void =>
  endpoint(
    contacts,
    {
      id: 'listTimeline',
      method: 'get',
      path: '/contacts/:id/timeline',
      summary: 'List what happened with a contact, newest first',
      description:
        'Its messages, tags, orders and runs, and its other events as long as they are kept. Agents get no data of events.',
      role: 'agent',
      noun: 'contact',
      query: shortListQuery,
      answers: { 200: listOf(timelineEntry) },
    },
    ({ principal, id: contactId, query }) =>
      showShortPage(
        query,
        (page) =>
          reads(principal.accountId, (db) =>
            withGenericPlan(db, async (sql) => {
              found('contact', await findContact(sql, principal.accountId, contactId));
              return listTimeline(sql, { accountId: principal.accountId, contactId }, page);
            }),
          ),
        ({ entry }) =>
          entry.type !== 'event' || mayAs('editor', principal)
            ? entry
            : { ...entry, event: { ...entry.event, data: null } },
      ),
  );

/** Runs wait by the contact's clock, and while automation is paused. */
const wakeRuns = async (tx: Transaction, contactId: string, changes: ContactChanges): Promise<void> => {
  if ('time_zone' in changes || 'automation_paused_until' in changes) await wakeRunsOf(tx, contactId);
};
