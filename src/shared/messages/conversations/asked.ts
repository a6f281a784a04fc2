import { listContacts } from '../../contacts/find-contacts.ts';
import { getPhoneBeginnings } from '../../contacts/phones.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { ConversationFilter } from './find-conversations.ts';
import { findByText, type Found } from './find-by-text.ts';

/** The most contacts whose conversations a search shows, and the most conversations by what was said in them. */
const foundAtMost = 100;

/** The conversations of so many tagged contacts are looked up. Those of more are looked for in the order of the list first. */
const fewTagged = 500;

/** What a search and a tag ask for, as the filter of a list has it. `said` is what was found in messages, by the UUID of the conversation. */
export type Asked = Pick<ConversationFilter, 'found' | 'tag'> & { said: Found };

/** Reads what a list of conversations asks for by a search of their contacts and messages, and by a tag of the contact. */
export const readAsked = async (
  sql: Sql,
  accountId: string,
  { search: text, tag: name }: { search?: string | undefined; tag?: string | undefined },
): Promise<Asked> => {
  const tag = name === undefined ? undefined : await readTag(sql, accountId, name);
  if (tag === 'unknown') return { found: { contact_ids: [], ids: [] }, said: new Map() };
  if (text === undefined) return { tag, said: new Map() };
  const search = { text, phones: await getPhoneBeginnings(sql, accountId, text) };
  const filter = { search, tag: name === undefined ? [] : [name] };
  const contacts = await listContacts(sql, accountId, { filter, limit: foundAtMost, before: undefined });
  const said = await findByText(sql, accountId, { text, atMost: foundAtMost });
  // The contacts have the tag already. Of the others it is looked up.
  return {
    found: { contact_ids: contacts.map(({ id }) => id), ids: [...said.keys()] },
    tag: tag && { ...tag, isFew: false },
    said,
  };
};

const readTag = async (sql: Sql, accountId: string, name: string) => {
  const [tag] = await sql<{ id: string }[]>`
    select id from tags where account_id = ${accountId} and lower(name) = lower(${name})`;
  if (!tag) return 'unknown';
  const { count } = await sql`select from contact_tags where tag_id = ${tag.id} limit ${fewTagged + 1}`;
  return { id: tag.id, isFew: count <= fewTagged };
};
