import { listContacts } from '../../contacts/find-contacts.ts';
import { getPhoneBeginnings } from '../../contacts/phones.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { ConversationFilter } from './find-conversations.ts';

/** The most contacts whose conversations a search shows. */
const foundAtMost = 100;

/** The conversations of so many tagged contacts are looked up. Those of more are looked for in the order of the list first. */
const fewTagged = 500;

/** The contacts whose conversations a list asks for, as its filter has them. */
export const readAskedContacts = async (
  sql: Sql,
  accountId: string,
  { search: text, tag }: { search?: string | undefined; tag?: string | undefined },
): Promise<Pick<ConversationFilter, 'contact_ids' | 'tag'>> => {
  if (text !== undefined) {
    const search = { text, phones: await getPhoneBeginnings(sql, accountId, text) };
    const filter = { search, tag: tag === undefined ? [] : [tag] };
    const found = await listContacts(sql, accountId, { filter, limit: foundAtMost, before: undefined });
    return { contact_ids: found.map(({ id }) => id) };
  }
  return tag === undefined ? {} : readTagged(sql, accountId, tag);
};

const readTagged = async (sql: Sql, accountId: string, name: string) => {
  const [tag] = await sql<{ id: string }[]>`
    select id from tags where account_id = ${accountId} and lower(name) = lower(${name})`;
  if (!tag) return { contact_ids: [] };
  const { count } = await sql`select from contact_tags where tag_id = ${tag.id} limit ${fewTagged + 1}`;
  return { tag: { id: tag.id, isFew: count <= fewTagged } };
};
