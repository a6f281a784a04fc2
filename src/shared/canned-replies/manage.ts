import type { FieldDefinition } from '../custom-fields/values.ts';
import { conflictWith, found, invalid, notFound, RequestError } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { checkText } from './check-text.ts';
import {
  countCannedReplies,
  deleteCannedReply,
  findByShortcut,
  findCannedReply,
  insertCannedReply,
  isShortcutTaken,
  updateCannedReply,
} from './queries.ts';
import {
  cannedReplyLimits,
  cannedReplyNoun,
  type CannedReplyChanges,
  type CannedReplyRow,
  type NewCannedReply,
} from './schema.ts';

/** Stores a canned reply. Throws `invalid_request` for its placeholders, and `conflict` for a shortcut that is taken, or beyond the bound. */
export const createCannedReply = async (
  { sql, tell }: Writer,
  accountId: string,
  given: NewCannedReply,
): Promise<CannedReplyRow> => {
  await requireTemplate(sql, accountId, given.text);
  const row = await insertCannedReply(sql, accountId, given);
  if (!row) throw shortcutTaken(await findByShortcut(sql, accountId, given.shortcut));
  if ((await countCannedReplies(sql, accountId)) > cannedReplyLimits.ofAccount)
    throw new RequestError('conflict', `An account has at most ${cannedReplyLimits.ofAccount} canned replies.`);
  await tell(changed(accountId, 'canned-replies'));
  return row;
};

/** Changes a canned reply. Throws `not_found`, and as `createCannedReply`. */
export const changeCannedReply = async (
  { sql, tell }: Writer,
  { accountId, id, changes }: { accountId: string; id: string; changes: CannedReplyChanges },
): Promise<CannedReplyRow> => {
  const before = found('canned reply', await findCannedReply(sql, accountId, id));
  const { shortcut = before.shortcut, text = before.text } = changes;
  if (changes.text !== undefined) await requireTemplate(sql, accountId, text);
  const other = await findByShortcut(sql, accountId, shortcut);
  if (other && other.id !== id) throw shortcutTaken(other);
  try {
    const row = found('canned reply', await updateCannedReply(sql, { accountId, id, shortcut, text }));
    await tell(changed(accountId, 'canned-replies'));
    return row;
  } catch (error) {
    throw isShortcutTaken(error) ? shortcutTaken() : error;
  }
};

/** Deletes a canned reply. Throws `not_found`. */
export const removeCannedReply = async ({ sql, tell }: Writer, accountId: string, id: string): Promise<void> => {
  if (!(await deleteCannedReply(sql, accountId, id))) throw notFound('canned reply');
  await tell(changed(accountId, 'canned-replies'));
};

const shortcutTaken = (other?: CannedReplyRow): RequestError =>
  conflictWith('Another canned reply has this shortcut.', { noun: cannedReplyNoun, id: other?.id, key: 'shortcut' });

const requireTemplate = async (sql: Sql, accountId: string, text: string): Promise<void> => {
  const rows = await sql<FieldDefinition[]>`
    select key, name, type, options, default_value as default from custom_fields where account_id = ${accountId}`;
  const problems = checkText(text, new Map(rows.map((field) => [field.key, field])));
  if (problems.length > 0) throw invalid(problems);
};
