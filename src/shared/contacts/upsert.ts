import type { EventTransaction } from '../facts/tell.ts';
import { findByKeys, lockKeys } from './keys.ts';
import { lockContact } from './lock-contact.ts';
import { getPhoneForms, withPhone } from './phones.ts';
import { createContact, updateContact } from './queries.ts';
import type { ContactRow, ContactUpsert } from './schema.ts';

/** The most tries. Another is needed only when somebody takes a key from the contact in the moment before it is locked. */
const maxTries = 5;

/**
 * Changes the contact that the given keys name as `updateContact` does, or creates it, with new_contact. Of several who do so at once one
 * creates it. Throws `conflict` where the keys do not name one contact, and `invalid_request`.
 */
export const upsertContact = async (
  tx: EventTransaction,
  accountId: string,
  given: ContactUpsert,
): Promise<{ contact: ContactRow; isNew: boolean }> => {
  const { sql } = tx;
  const input = await withPhone(sql, accountId, given);
  const { phone } = given;
  const phones = typeof phone === 'string' ? await getPhoneForms(sql, accountId, { phone, path: 'phone' }) : [];
  const keys = { ...input, phones };
  await lockKeys(sql, accountId, input);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const contactId = await findByKeys(sql, accountId, keys);
    if (contactId === undefined) return { contact: await createContact(tx, accountId, input), isNew: true };
    await lockContact(sql, { accountId, contactId });
    if ((await findByKeys(sql, accountId, keys)) !== contactId) continue;
    return { contact: await updateContact(tx, { accountId, id: contactId, changes: input }), isNew: false };
  }
  throw new Error(`the keys of a contact were changed ${maxTries} times`);
};
