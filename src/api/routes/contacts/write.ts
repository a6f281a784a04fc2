import { z } from 'zod';
import { lineOfKeys } from '../../../shared/contacts/keys.ts';
import { createContact, updateContact } from '../../../shared/contacts/queries.ts';
import { endRuns } from '../../../shared/runs/life/end-runs.ts';
import {
  contactBody,
  contactChanges,
  contactUpsert,
  maxCustomFields,
  newContactBody,
  showContact,
} from '../../../shared/contacts/schema.ts';
import { findPhoneProblems } from '../../../shared/contacts/phones.ts';
import { upsertContact } from '../../../shared/contacts/upsert.ts';
import { findFieldProblems } from '../../../shared/custom-fields/take-fields.ts';
import { phoneLength } from '../../../shared/typed/phone-length.ts';
import { endpoint } from '../../endpoint.ts';
import type { FindMore, Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { withCause } from '../../idempotency.ts';

/** The custom fields of a body that its schema refuses, if there are any and not too many. */
const withFields = z.object({
  custom_fields: z.record(z.string(), z.unknown()).refine((fields) => Object.keys(fields).length <= maxCustomFields),
});

/** The phone number of such a body. */
const withPhone = z.object({ phone: z.string().min(1).max(phoneLength) });

/** What creates and changes contacts. */
export const addContactWriting = (contacts: Resource, deps: ApiDeps): void => {
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
        'Picks the contact with the external id, else the one with most of the given values. 200 for a known contact, 201 for a new one, which sends new_contact.',
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
        const { contact, isNew } = await deps.transact(async (tx) =>
          upsertContact(await withCause(tx, ctx), accountId, body),
        );
        if (isNew) ctx.status = 201;
        return showContact(contact);
      },
    },
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
          const contact = await updateContact(tx, { accountId, id, changes });
          const { status: reason = 'active' } = changes;
          if (reason !== 'active') await endRuns(tx, { accountId, contactId: id, reason });
          return contact;
        }),
      ),
  );
};
