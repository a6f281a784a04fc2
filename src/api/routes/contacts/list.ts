import { z } from 'zod';
import { readAskedTime } from '../../../shared/accounts/asked-time.ts';
import { askedCondition, readConditions } from '../../../shared/contacts/field-conditions.ts';
import {
  listContacts,
  oldestFirst,
  type ContactFilter,
  type ListedContactRow,
  type Place,
} from '../../../shared/contacts/find-contacts.ts';
import { contactBody, contactFilters, showContact } from '../../../shared/contacts/schema.ts';
import { getPhoneBeginnings, getPhoneForms } from '../../../shared/contacts/phones.ts';
import { idOf } from '../../../shared/codec.ts';
import { tagName } from '../../../shared/tags/schema.ts';
import { withOwnPlan } from '../../../shared/platform/db/plans.ts';
import type { Sql } from '../../../shared/platform/db/connect.ts';
import { countedAtMost, countOf, countRows } from '../../counts.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { byId, createPages, listOf } from '../../lists.ts';

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

const contactsFilters = {
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
};

const contactsCount = z.strictObject(contactsFilters);

const contactsQuery = pages.query
  .extend({
    ...contactsFilters,
    order: z.enum(['newest', 'oldest', 'changed']).default('newest').meta({
      description:
        'changed: the latest change first, which goes with no `tag`. A list with `search` or `updated_after` has its own order.',
      default: 'newest',
    }),
  })
  .refine(
    ({ order, search, updated_after: since, tag = [] }) =>
      order === 'newest' || (search === undefined && since === undefined && (order === 'oldest' || tag.length === 0)),
    { path: ['order'], error: 'is not possible with these filters' },
  )
  .refine(
    ({ cursor, search, updated_after: since, order }) => {
      if (cursor === undefined) return true;
      if (search !== undefined) return cursor.at !== null;
      if (order === 'oldest') return cursor.at === oldestFirst;
      if (since !== undefined || order === 'changed') return isChange(cursor.at);
      return cursor.at === null;
    },
    { path: ['cursor'], error: 'is the cursor of another list' },
  );

/** Whether a cursor says the moment of a change, in microseconds. */
const isChange = (at: string | null): boolean => at !== null && /^\d{1,16}$/.test(at);

/** The filter that a request names, as the domain has it. Throws `invalid_request`. */
const readFilter = async (
  sql: Sql,
  accountId: string,
  { field = [], phone, search: text, updated_after, ...filter }: z.output<typeof contactsCount>,
): Promise<ContactFilter> => ({
  ...filter,
  conditions: await readConditions(sql, accountId, field),
  phone: phone === undefined ? undefined : await getPhoneForms(sql, accountId, { phone, path: 'phone' }),
  search: text === undefined ? undefined : { text, phones: await getPhoneBeginnings(sql, accountId, text) },
  updated_after: await readAskedTime(sql, accountId, updated_after),
});

/** The list of contacts: filtered, searched, or those that have changed. */
export const addContactList = (contacts: Resource, deps: ApiDeps): void => {
  endpoint(
    contacts,
    {
      id: 'listContacts',
      method: 'get',
      path: '/contacts',
      summary: 'List contacts, newest first',
      description: 'Or in another `order`; with `search` or `updated_after` in their own.',
      role: 'agent',
      query: contactsQuery,
      answers: { 200: listOf(contactBody) },
    },
    ({ principal: { accountId }, query: { limit, cursor, order, ...asked } }) =>
      pages.page(
        { limit, cursor },
        (page) =>
          deps.reads(accountId, (db) =>
            withOwnPlan(db, async (sql) =>
              listContacts(sql, accountId, { filter: await readFilter(sql, accountId, asked), order, ...page }),
            ),
          ),
        (row: ListedContactRow) => showContact(row),
      ),
  );
  endpoint(
    contacts,
    { ...countOf('contacts'), id: 'countContacts', path: '/contacts/count', query: contactsCount },
    ({ principal: { accountId }, query }) =>
      deps.reads(accountId, (db) =>
        withOwnPlan(db, async (sql) => {
          const filter = await readFilter(sql, accountId, query);
          return countRows(sql, listContacts(sql, accountId, { filter, limit: countedAtMost, before: undefined }));
        }),
      ),
  );
};
