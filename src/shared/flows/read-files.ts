import type { FileWithLink, Files } from './templating/files.ts';
import { parseId, showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { listMedia } from '../media/queries.ts';
import { mediaNoun, type LinkTo } from '../media/schema.ts';

/** The most files of one context that have a link. */
const filesAtMost = 200;

const prefix = `${mediaNoun.prefix}_`;

/** The account's files whose ids are among these values, however deep, with links to them. Without such an id nothing is read. */
export const readFilesOf = async (
  sql: Sql,
  { accountId, linkTo }: { accountId: string; linkTo: LinkTo },
  values: unknown,
): Promise<Files> => {
  const ids = idsIn(values);
  if (ids.size === 0) return new Map();
  const files = await listMedia(sql, accountId, [...ids]);
  return new Map<string, FileWithLink>(
    files.map((file) => [showId(mediaNoun, file.id), { file, url: linkTo(file).url }]),
  );
};

/** UUIDs. */
const idsIn = (values: unknown): ReadonlySet<string> => {
  const ids = new Set<string>();
  const left = [values];
  while (left.length > 0 && ids.size < filesAtMost) {
    const value = left.pop();
    if (typeof value === 'string') {
      const id = value.startsWith(prefix) ? parseId(mediaNoun, value) : undefined;
      if (id !== undefined) ids.add(id);
    } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) left.push(one);
  }
  return ids;
};
