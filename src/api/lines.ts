import { contactLine } from '../shared/contacts/lock-contact.ts';
import { nounName } from '../shared/ids.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import type { ApiContext } from './http.ts';
import { isKeyed } from './idempotency.ts';
import type { Operation, ResourceDeps } from './resource.ts';

/** Names the line of a request by what it has; undefined for none. */
export type NameLine = (input: { id: string | undefined; body: unknown }) => string | undefined;

/** The tables of what belongs to a contact: whoever changes it locks the contact. */
const ofContacts: Readonly<Record<string, string>> = {
  conversation: 'conversations',
  handover: 'handovers',
  order: 'orders',
  run: 'runs',
};

type Asked = { operation: Operation; input: Parameters<NameLine>[0]; line: NameLine | undefined };

/**
 * The line of a request that writes (see `inLine`): the one that its operation names, or its Idempotency-Key; else that of what the path names, which is its contact's where
 * it belongs to one; else the operation's own, because what is added to an account is added one after the other.
 */
export const findLine = async (
  ctx: ApiContext,
  { db }: ResourceDeps,
  { operation: { id: name, method, role, noun }, input, line }: Asked,
): Promise<string | undefined> => {
  if (method === 'get' || role === 'anyone') return undefined;
  if (line) return line(input) ?? (isKeyed(ctx) ? `key/${ctx.get('idempotency-key')}` : undefined);
  if (noun === undefined) return name;
  const { accountId } = ctx.state.principal;
  return lineOfThing(db, { accountId, noun: nounName(noun), id: input.id });
};

/** The line of whoever changes one thing, whose id is a UUID: its contact's where it belongs to one. Undefined for a thing of others. */
export const lineOfThing = async (
  db: Database,
  { accountId, noun, id }: { accountId: string; noun: string; id: string | undefined },
): Promise<string | undefined> => {
  const table = ofContacts[noun];
  if (table === undefined || id === undefined) return `${noun}/${id}`;
  const [thing] = await db<{ contactId: string }[]>`
    select contact_id from ${db(table)} where id = ${id} and account_id = ${accountId}`;
  return thing && contactLine(thing.contactId);
};
