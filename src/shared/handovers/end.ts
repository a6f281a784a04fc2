import { lockContact } from '../contacts/lock-contact.ts';
import { found } from '../errors.ts';
import { handoverChanged } from '../facts/handover-changed.ts';
import { handoverEnded } from '../facts/handover-ended.ts';
import type { EventTransact, EventTransaction } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { closeHandover, findHandover, listLapsed, type HandoverEnd } from './queries.ts';
import type { HandoverRow } from './schema.ts';

/**
 * Ends the open handover of a contact, and tells handover_ended. Does nothing when there is none, or not such a one. The caller has locked the
 * contact. `byRunId` is the run that ends it, and `byUserId` the user who does; UUIDs.
 */
export const endHandover = async (
  tx: EventTransaction,
  end: HandoverEnd,
  { byRunId, byUserId }: { byRunId?: string; byUserId?: string | undefined } = {},
): Promise<void> => {
  const ended = await closeHandover(tx.sql, end);
  if (!ended) return;
  const { accountId, handoverId } = ended;
  const { contactId, status } = end;
  await tx.tell(handoverChanged({ ...ended, contactId, kind: 'handed_back', status, byUserId }));
  await tx.tell(handoverEnded({ accountId, handoverId, contactId, status, byRunId }));
};

/** Resolves a handover, under its contact's lock. One that has ended stays as it ended. Throws `not_found`; `id` is a UUID. */
export const resolveHandover = async (
  tx: EventTransaction,
  {
    accountId,
    id,
    outcome,
    byUserId,
  }: { accountId: string; id: string; outcome: string | undefined; byUserId?: string | undefined },
): Promise<HandoverRow> => {
  const get = async () => found('handover', await findHandover(tx.sql, accountId, id));
  const { contactId } = await get();
  await lockContact(tx.sql, { accountId, contactId });
  await endHandover(tx, { contactId, status: 'resolved', outcome, if: { id } }, { byUserId });
  return get();
};

/** The most handovers that one call of `expireHandovers` ends. */
const expiredAtOnce = 200;

/** Ends handovers whose time is over, each under its contact's lock. Any number of processes may do so at the same time. */
export const expireHandovers = async (
  { db, transact }: { db: Sql; transact: EventTransact },
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
