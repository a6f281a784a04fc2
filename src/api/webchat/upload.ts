import type { z } from 'zod';
import { invalid } from '../../shared/errors.ts';
import type { GivenFile } from '../../shared/media/attachments.ts';
import { missingFile } from '../../shared/media/use-attachments.ts';
import { listSentByVisitor } from '../../shared/media/queries.ts';
import { linkFile, uploadQuery, type linkedFile } from '../../shared/media/schema.ts';
import type { ApiContext } from '../http.ts';
import { parseQuery } from '../parse.ts';
import { fileOf, writer } from '../routes/media.ts';
import type { Webchat } from '../../shared/messages/webchat/find-visit.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { requireVisitor, type Visit, type VisitDeps } from './visits.ts';

/** Takes a file of a visitor who has written before: it counts as a message. Throws as `visiting` does, and as taking files of an account. */
export const takeFileOfVisitor = async (
  ctx: ApiContext,
  { deps, limits }: VisitDeps,
  visit: Visit,
): Promise<z.infer<typeof linkedFile>> => {
  const { channel, network } = visit;
  const { id: visitorId } = requireVisitor(visit);
  limits.takeMessage(ctx, { channelId: channel.id, network, visitorId });
  const { name } = parseQuery(ctx, uploadQuery);
  const { accountId } = channel;
  const file = await deps.media.take(writer(deps), { accountId, name, visitorId, ...fileOf(ctx) });
  return linkFile(file, deps.media.linkTo);
};

/** Throws `invalid_request` for a file that this visitor has not sent: ids of others' files open nothing. */
export const requireOwnFiles = async (
  sql: Sql,
  { accountId }: Pick<Webchat, 'accountId'>,
  { visitorId, files = [] }: { visitorId: string | undefined; files: readonly GivenFile[] | undefined },
): Promise<void> => {
  if (files.length === 0) return;
  const ids = files.map(({ media_id: id }) => id);
  const own = visitorId === undefined ? new Set<string>() : await listSentByVisitor(sql, { accountId, visitorId, ids });
  const missing = ids.flatMap((id, index) => (own.has(id) ? [] : [missingFile(index)]));
  if (missing.length > 0) throw invalid(missing);
};
