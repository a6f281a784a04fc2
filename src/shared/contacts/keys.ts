import { conflictWith, type RequestError } from '../errors.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';

/** What a contact may be found by, the strongest first. Only an external id is of one contact alone. */
const contactKeys = ['external_id', 'email', 'phone'] as const;

type ContactKey = (typeof contactKeys)[number];

/** `phones`: the forms in which the phone number may be stored; it alone where they are not given. */
export type GivenKeys = { readonly [Key in ContactKey]?: string | null | undefined } & {
  readonly phones?: readonly string[];
};

/** The line of those that are about to lock these keys; see `inLine`. The strongest of them names it. */
export const lineOfKeys = (keys: GivenKeys): string | undefined => {
  const key = contactKeys.find((given) => typeof keys[given] === 'string');
  return key && `${key}/${keys[key]}`;
};

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

/** A contact with those of the given keys that it has, the strongest first. */
type Holder = { id: string; externalId: string | null; has: readonly ContactKey[] };

/**
 * The UUID of the account's contact that the given keys name, undefined when they are nobody's: the one of the external id, else the one that
 * has most of the others. Throws `conflict` that names a contact: where a key is only another one's, where several have the same keys, and where
 * the one that is found has another external id than the given one.
 */
export const findByKeys = async (sql: Sql, accountId: string, keys: GivenKeys): Promise<string | undefined> => {
  const [named, ...others] = await selectHolders(sql, accountId, keys);
  if (!named) return undefined;
  for (const key of contactKeys) {
    const other = named.has.includes(key) ? undefined : others.find(({ has }) => has.includes(key));
    if (other) throw keyTaken(other.id, key);
  }
  const [strongest] = named.has;
  if (strongest === undefined || strongest === 'external_id') return named.id;
  const twin = others.find(({ has }) => has.length === named.has.length);
  if (twin) throw keyTaken(twin.id, strongest);
  if (typeof keys.external_id === 'string' && named.externalId !== null) throw keyTaken(named.id, strongest);
  return named.id;
};

/** Those that have any of the keys, as far as it matters: first whoever has the external id, then whoever has most. Each is read from an index. */
const selectHolders = (
  sql: Sql,
  accountId: string,
  { external_id: externalId = null, email = null, phone, phones = [phone].flatMap((one) => one ?? []) }: GivenKeys,
): Promise<Holder[]> => {
  const hasExternalId = sql`external_id = ${externalId}`;
  const hasEmail = sql`lower(email) = lower(${email})`;
  const hasPhone = sql`phone = any(${[...phones]}::text[])`;
  const two = (condition: Fragment) =>
    sql`(select id from contacts where account_id = ${accountId} and ${condition} order by id limit 2)`;
  return sql<Holder[]>`
    select * from (
      select id, external_id, array_remove(array[case when ${hasExternalId} then 'external_id' end,
        case when ${hasEmail} then 'email' end, case when ${hasPhone} then 'phone' end], null) as has
      from contacts where id in (${two(hasExternalId)}
        union ${two(sql`${hasEmail} and ${hasPhone}`)} union ${two(hasEmail)} union ${two(hasPhone)})) as holders
    order by 'external_id' = any(has) desc, cardinality(has) desc, id`;
};

/** A 409: this contact, a UUID, has the key. */
const keyTaken = (contactId: string, key: ContactKey): RequestError =>
  conflictWith(`Another contact has this ${key}.`, { noun: 'contact', id: contactId, key });
