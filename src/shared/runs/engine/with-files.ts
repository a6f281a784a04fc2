import { readFilesOf } from '../../flows/read-files.ts';
import type { LinkTo } from '../../media/schema.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { ReadSnapshot } from './snapshot-row.ts';

/**
 * A snapshot that shows the files whose ids are among its values: of the contact, the enrollment, the event, and answers that are taken or still to be.
 * Links are made here, when something is rendered: those that were stored would have expired.
 */
export const withFiles = async <Snapshot extends Pick<ReadSnapshot, 'context' | 'inputs' | 'row'>>(
  sql: Sql,
  snapshot: Snapshot,
  { lastingLinkTo }: { lastingLinkTo: LinkTo },
): Promise<Snapshot> => {
  const { context, inputs, row } = snapshot;
  const { params, reply, event } = context.run;
  const defaults = [...context.fields.values()].map((field) => field.default);
  const values = [context.contact.fields, defaults, params, reply, event, inputs];
  const files = await readFilesOf(sql, { accountId: row.accountId, linkTo: lastingLinkTo }, values);
  return files.size === 0 ? snapshot : { ...snapshot, context: { ...context, files } };
};
