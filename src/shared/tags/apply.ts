import { lockContact } from '../contacts/lock-contact.ts';
import { notFound } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction, Writer } from '../facts/tell.ts';
import type { Cause } from '../facts/domain-event.ts';
import type { Sql } from '../platform/db/connect.ts';
import { holdTag, insertTag } from './queries.ts';
import type { TagRow } from './schema.ts';

/** A tag of a contact of the account; ids are UUIDs. */
export type Tagging = { accountId: string; contactId: string; name: string };

/**
 * Puts a tag on a contact, under the contact's lock. A tag that is not there yet is made. Tells tag_applied and answers true when the contact
 * did not have it. Throws `not_found` when the account has no such contact.
 */
export const applyTag = async (
  tx: EventTransaction,
  { accountId, contactId, name, cause }: Tagging & { cause?: Cause },
): Promise<boolean> => {
  const { sql } = tx;
  if (!(await lockContact(sql, { accountId, contactId }))) throw notFound('contact');
  const tag = await getTag(sql, accountId, name);
  const [applied] = await sql<{ appliedAt: Date }[]>`
    insert into contact_tags (contact_id, tag_id) values (${contactId}, ${tag.id}) on conflict do nothing
    returning applied_at`;
  if (!applied) return false;
  const event = { accountId, contactId, tag: { name: tag.name }, occurredAt: applied.appliedAt };
  await tx.tell({ name: 'tag_applied', ...event, ...(cause && { cause }) });
  return true;
};

/** Takes a tag from a contact, under the contact's lock. Answers whether the contact had it. */
export const removeTag = async ({ sql, tell }: Writer, { accountId, contactId, name }: Tagging): Promise<boolean> => {
  if (!(await lockContact(sql, { accountId, contactId }))) throw notFound('contact');
  const { count } = await sql`
    delete from contact_tags using tags t
    where contact_id = ${contactId} and tag_id = t.id and t.account_id = ${accountId} and lower(t.name) = lower(${name})`;
  if (count > 0) await tell(changed(accountId, 'contacts', 'tags'));
  return count > 0;
};

/** The account's tag of this name. Whoever makes or deletes it at the same time makes another look necessary. */
const getTag = async (sql: Sql, accountId: string, name: string): Promise<TagRow> => {
  for (;;) {
    const tag = (await holdTag(sql, accountId, name)) ?? (await insertTag(sql, accountId, name));
    if (tag) return tag;
  }
};
