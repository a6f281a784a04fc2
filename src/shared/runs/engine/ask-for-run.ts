import { contactLine } from '../../contacts/lock-contact.ts';
import { readId } from '../../ids.ts';
import { askAs, whoAsks } from '../../platform/bulkhead/asker.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { RunFlow } from '../types.ts';

/** Does `work` for the account of a run, in the line of its contact, which every pass over the run locks. */
export const askForRun = async <Result>(sql: Sql, run: RunFlow, work: () => Promise<Result>): Promise<Result> => {
  const { accountId, contactId } = await ownersOf(sql, run);
  return askAs({ ...whoAsks(), accountId, line: contactLine(contactId) }, work);
};

type Owners = { accountId: string; contactId: string };

/** Their UUIDs, read from the row of a run whose workflow began before 0.3.0. A run that is gone is nobody's. */
const ownersOf = async (sql: Sql, { runId, accountId, contactId }: RunFlow): Promise<Owners> => {
  if (accountId !== undefined && contactId !== undefined)
    return { accountId: readId('account', accountId), contactId: readId('contact', contactId) };
  const [owners] = await sql<Owners[]>`select account_id, contact_id from runs where id = ${readId('run', runId)}`;
  return owners ?? { accountId: '', contactId: runId };
};
