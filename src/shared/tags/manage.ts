import { conflictWith, found, RequestError } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction, Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { applyTag, type Tagging } from './apply.ts';
import { contactHasMoreTags, hasMoreTags, holdTag, insertTag, isNameTaken, updateTag } from './queries.ts';
import type { CountedTagRow, TagRow } from './schema.ts';

/** The most tags that callers can make in an account, and put on a contact. A published flow names few, and stands beyond these bounds. */
export const tagLimits = { ofAccount: 1_000, ofContact: 100 } as const;

/** Makes a tag. Throws `conflict` when the account has one of this name, or too many. */
export const createTag = async ({ sql, tell }: Writer, accountId: string, name: string): Promise<TagRow> => {
  const row = await insertTag(sql, accountId, name);
  if (!row) throw nameTaken(await holdTag(sql, accountId, name));
  await requireRoom(sql, accountId);
  await tell(changed(accountId, 'tags'));
  return row;
};

/**
 * Gives a tag another name. Throws `not_found`, and `conflict` when another tag of the account has it, which it names unless that is made at the
 * same moment.
 */
export const renameTag = async (
  { sql, tell }: Writer,
  tag: Parameters<typeof updateTag>[1],
): Promise<CountedTagRow> => {
  const other = await holdTag(sql, tag.accountId, tag.name);
  if (other && other.id !== tag.id) throw nameTaken(other);
  try {
    const renamed = found('tag', await updateTag(sql, tag));
    await tell(changed(tag.accountId, 'tags'));
    return renamed;
  } catch (error) {
    throw isNameTaken(error) ? nameTaken() : error;
  }
};

const nameTaken = (other?: TagRow): RequestError =>
  conflictWith('Another tag has this name.', { noun: 'tag', id: other?.id, key: 'name' });

/** Puts a tag on a contact for a caller. `isNew`: it did not have it. Throws `not_found`, and `conflict` where there would be too many. */
export const putTag = async (tx: EventTransaction, tagging: Tagging): Promise<{ tag: TagRow; isNew: boolean }> => {
  const { sql } = tx;
  const { accountId, contactId, name } = tagging;
  const known = await holdTag(sql, accountId, name);
  const applied = await applyTag(tx, tagging);
  if (!known) await requireRoom(sql, accountId);
  if (applied && (await contactHasMoreTags(sql, contactId, tagLimits.ofContact))) {
    throw new RequestError('conflict', `A contact has at most ${tagLimits.ofContact} tags.`);
  }
  return { tag: known ?? found('tag', await holdTag(sql, accountId, name)), isNew: applied };
};

const requireRoom = async (sql: Sql, accountId: string): Promise<void> => {
  if (await hasMoreTags(sql, accountId, tagLimits.ofAccount)) {
    throw new RequestError('conflict', `An account has at most ${tagLimits.ofAccount} tags.`);
  }
};
