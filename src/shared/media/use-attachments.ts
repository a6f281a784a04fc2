import { invalid, type Problem } from '../errors.ts';
import { useMedia } from './queries.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { GivenAttachment, StoredAttachment } from './attachments.ts';

/**
 * What a message of the account stores of its attachments, in their order. Its files stay from the commit on. Throws `invalid_request` for a
 * file that the account does not have.
 */
export const useAttachments = async (
  sql: Sql,
  accountId: string,
  given: readonly GivenAttachment[] = [],
): Promise<StoredAttachment[]> => {
  const ids = given.flatMap((one) => ('media_id' in one ? [one.media_id] : []));
  const files = ids.length === 0 ? new Map<string, StoredAttachment>() : await useMedia(sql, accountId, ids);
  const stored = given.map((one) => ('media_id' in one ? files.get(one.media_id) : one));
  const missing = stored.flatMap((one, index) => (one === undefined ? [missingFile(index)] : []));
  if (missing.length > 0) throw invalid(missing);
  return stored.filter((one) => one !== undefined);
};

/** What is said of a file that a message cannot have. */
export const missingFile = (index: number): Problem => ({
  path: `attachments.${index}.media_id`,
  message: 'is no file of this account, or was removed',
  code: 'invalid_value',
});
