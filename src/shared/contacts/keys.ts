import { RequestError } from '../errors.ts';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';

/** What a contact may be found by, the strongest first. Only an external id is of one contact alone. */
const contactKeys = ['external_id', 'email', 'phone'] as const;

type ContactKey = (typeof contactKeys)[number];

export type GivenKeys = { readonly [Key in ContactKey]?: string | null | undefined };

/** The class of the advisory locks on keys of an account's contacts; each lock's key is a hash. */
const keyClass = 7_205_767;

/**
 * Locks these keys until the transaction ends, one after the other in one order. Whoever gives a contact its external id, or finds or makes one
 * by its keys, has them: nobody else does so at the same time. It comes before the contact's lock.
 */
export const lockKeys = async (sql: Sql, accountId: string, keys: GivenKeys): Promise<void> => {
  const given = contactKeys.flatMap((key) => (typeof keys[key] === 'string' ? [`${key} ${keys[key]}`] : []));
  if (given.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(${keyClass}, key) from (
      select distinct hashtext(${accountId}::uuid || ' ' || lower(given)) as key from unnest(${given}::text[]) as given order by key) as keys`;
};

/** Throws `conflict` when another contact than `contactId` has the external id, which the caller has locked. */
export const requireFreeExternalId = async (
  sql: Sql,
  { accountId, contactId, externalId }: { accountId: string; contactId?: string; externalId: string },
): Promise<void> => {
  const [other] = await sql<{ id: string }[]>`
    select id from contacts where account_id = ${accountId} and external_id = ${externalId} and id is distinct from ${contactId ?? null}`;
  if (other) throw keyTaken(other.id, 'external_id');
};

/** A 409: this contact, a UUID, has the key. */
const keyTaken = (contactId: string, key: ContactKey): RequestError =>
  new RequestError('conflict', `Another contact has this ${key}.`, {
    conflictWith: { id: showId('contact', contactId), key },
  });
