import type { Transaction } from '../platform/dispatch/transact.ts';
import { runWork } from './work.ts';
import { changed } from '../facts/changed.ts';
import { talked, type Talk } from '../facts/talked.ts';
import type { EventTransaction } from '../facts/tell.ts';

/** Who held the foreground of a contact, and who is to; UUIDs of the first run of a family, null when it is free. */
type ForegroundMove = { contactId: string; from: string | null; to: string | null };

/**
 * Moves the foreground of a contact, which one family of runs at most holds: only that one asks. Given back, it goes to the run that was
 * interrupted last, else to the one that has waited longest, which is woken. The caller has locked the contact.
 */
export const moveForeground = async (tx: EventTransaction, { contactId, from, to }: ForegroundMove): Promise<void> => {
  if (from === to) return;
  const next = to === null ? await findNext(tx, contactId, from) : undefined;
  const talks = await tx.sql<(Omit<Talk, 'conversationId'> & { conversationId: string | null })[]>`
    with moved as (
      update contacts set foreground_run_id = ${next?.rootRunId ?? to} where id = ${contactId} returning account_id
    ), talk as (
      update conversations set revision = revision + 1 where contact_id = ${contactId} and status = 'open' returning id, revision
    )
    select account_id, talk.id as conversation_id, talk.revision::float8 as revision from moved left join talk on true`;
  for (const { accountId, conversationId, revision } of talks) {
    await tx.tell(changed(accountId, 'contacts', 'conversations'));
    if (conversationId !== null) await tx.tell(talked(accountId, conversationId, revision));
  }
  if (next) await tx.wake(runWork, [next.id]);
};

/** A run of another family that waits for an answer was interrupted, and has had no pass since. */
const findNext = async ({ sql }: Transaction, contactId: string, from: string | null) => {
  const [next] = await sql<{ id: string; rootRunId: string }[]>`
    select id, root_run_id from runs
    where contact_id = ${contactId} and ended_at is null and root_run_id is distinct from ${from}
      and waiting in ('foreground', 'reply')
    order by left_ms is null and waiting = 'foreground',
      case when left_ms is null and waiting = 'foreground' then waiting_since end, waiting_since desc limit 1`;
  return next;
};
