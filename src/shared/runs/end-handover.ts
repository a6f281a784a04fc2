import { lockContact } from '../contacts/lock-contact.ts';
import { found } from '../errors.ts';
import { closeHandover, findHandover, listLapsed, type HandoverEnd } from '../handovers/queries.ts';
import type { HandoverRow } from '../handovers/schema.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Transact, Transaction } from '../platform/dispatch/transact.ts';
import { putInput } from './inputs.ts';
import { wakeRunsOf } from './life/wake-runs.ts';

/**
 * Ends the open handover of a contact: the runs that waited for that go on, and so do those that it has silenced. Answers false when there is
 * none, or not such a one. `except` is the run that ends it. The caller has locked the contact.
 */
export const endHandover = async (
  tx: Transaction,
  end: HandoverEnd,
  { except = null }: { except?: string | null } = {},
): Promise<boolean> => {
  const ended = await closeHandover(tx.sql, end);
  if (!ended) return false;
  const { contactId, status } = end;
  const waiting = await tx.sql<{ id: string }[]>`
    select id from runs where contact_id = ${contactId} and ended_at is null and waiting = 'handover' and id is distinct from ${except} order by id`;
  for (const { id } of waiting) await putInput(tx, { runId: id, kind: 'resolved', refId: ended.id, data: { status } });
  await wakeRunsOf(tx, contactId, { except });
  return true;
};

/** Resolves a handover, under its contact's lock. One that has ended stays as it ended. Throws `not_found`; `id` is a UUID. */
export const resolveHandover = async (
  tx: Transaction,
  { accountId, id, outcome }: { accountId: string; id: string; outcome: string | undefined },
): Promise<HandoverRow> => {
  const get = async () => found('handover', await findHandover(tx.sql, accountId, id));
  const { contactId } = await get();
  await lockContact(tx.sql, { accountId, contactId });
  await endHandover(tx, { contactId, status: 'resolved', outcome, if: { id } });
  return get();
};

/** The most handovers that one turn of `expireHandovers` ends. */
const expiredAtOnce = 200;

/** Ends handovers whose time is over, each under its contact's lock. Any number of processes may do so at the same time. */
export const expireHandovers = async (
  { db, transact }: { db: Sql; transact: Transact },
  signal?: AbortSignal,
): Promise<void> => {
  for (const { id, accountId, contactId } of await listLapsed(db, expiredAtOnce)) {
    if (signal?.aborted) return;
    await transact(async (tx) => {
      await lockContact(tx.sql, { accountId, contactId });
      await endHandover(tx, { contactId, status: 'expired', if: { id } });
    });
  }
};
