import type { Fragment, Sql } from '../platform/db/connect.ts';
import { parseId, type Noun } from '../ids.ts';

type Subject = { noun: Noun; find: (sql: Sql, accountId: string, id: string) => Fragment };

/** What users can be at, and how it is found in its account. Ids are UUIDs. */
const subjects: readonly Subject[] = [
  { noun: 'flow', find: (sql, account, id) => sql`select from flows where id = ${id} and account_id = ${account}` },
  {
    noun: 'conversation',
    find: (sql, account, id) => sql`select from conversations where id = ${id} and account_id = ${account}`,
  },
  {
    noun: 'contact',
    find: (sql, account, id) => sql`select from contacts where id = ${id} and account_id = ${account}`,
  },
];

/** The list of conversations, which each account has. Whoever is at it hears who is at which conversation, and not who is at the list. */
export const inboxSubject = 'inbox';

/** Whether this subject is a conversation. */
export const isConversation = (subject: string): boolean => parseId('conversation', subject) !== undefined;

/** Whether a text is a TypeID of something that users can be at, in any account, or the inbox. */
export const namesSubject = (text: string): boolean =>
  text === inboxSubject || subjects.some(({ noun }) => parseId(noun, text) !== undefined);

/** Whether the account has what this text names, and users can be at it. */
export const isSubject = async (sql: Sql, accountId: string, text: string): Promise<boolean> => {
  if (text === inboxSubject) return true;
  for (const { noun, find } of subjects) {
    const id = parseId(noun, text);
    if (id !== undefined) return (await find(sql, accountId, id)).length > 0;
  }
  return false;
};
