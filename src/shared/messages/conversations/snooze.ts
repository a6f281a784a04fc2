import { lockContact } from '../../contacts/lock-contact.ts';
import { found, invalid, RequestError } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { EventTransact, EventTransaction } from '../../facts/tell.ts';
import { putOffExpiry } from '../../handovers/put-off-expiry.ts';
import { insertAct } from './changes/acts.ts';

/** How long a conversation is snoozed at most, in days. */
export const snoozeDaysAtMost = 366;

type Snooze = {
  accountId: string;
  id: string;
  /** When it wakes; null: now. */
  until: Date | null;
  /** The user who snoozes it, if one does; ids are UUIDs. */
  byUserId?: string | undefined;
};

/**
 * Snoozes an open conversation until a time, or until its contact writes, under its contact's lock. Its handover does not expire meanwhile. Answers
 * false for one that stays awake. Throws `not_found`, `conflict` for a closed one, and `invalid_request` for a time that is over, or too far ahead.
 */
export const snooze = async (tx: EventTransaction, { accountId, id, until, byUserId }: Snooze): Promise<boolean> => {
  const { sql, tell } = tx;
  const [talk] = await sql<{ contactId: string }[]>`
    select contact_id from conversations where id = ${id} and account_id = ${accountId}`;
  const { contactId } = found('conversation', talk);
  await lockContact(sql, { accountId, contactId });
  const [held] = await sql<{ status: 'open' | 'closed'; isAwake: boolean; fits: boolean }[]>`
    select status, snoozed_until is null as is_awake, coalesce(${until}::timestamptz > clock_timestamp()
      and ${until}::timestamptz <= clock_timestamp() + make_interval(days => ${snoozeDaysAtMost}), true) as fits
    from conversations where id = ${id} and account_id = ${accountId} for no key update`;
  const { status, isAwake, fits } = found('conversation', held);
  if (status === 'closed') throw new RequestError('conflict', 'This conversation is closed. Reopen it first.');
  if (!fits) throw invalid({ path: 'until', message: `must be ahead, by at most ${snoozeDaysAtMost} days` });
  if (until === null && isAwake) return false;
  const data = { until: until && until.toISOString() };
  const [{ revision }] = await sql<[{ revision: number }]>`
    update conversations set snoozed_until = ${until}, revision = revision + 1 where id = ${id} returning revision::float8 as revision`;
  await insertAct(sql, { accountId, conversationId: id, kind: 'snoozed', userId: byUserId, data, revision });
  await putOffExpiry(tx, { accountId, contactId, conversationId: id, from: until });
  await tell(talked(accountId, id, revision));
  await tell(changed(accountId, 'conversations'));
  return true;
};

/** The most conversations that one call of `wakeSnoozed` wakes. */
const wokenAtOnce = 200;

/** Wakes conversations whose snooze is over. Any number of processes may do so at the same time. A message of the contact wakes one by itself. */
export const wakeSnoozed = async ({ transact }: { transact: EventTransact }, signal?: AbortSignal): Promise<void> => {
  for (;;) {
    if (signal?.aborted) return;
    const count = await transact(async ({ sql, tell }) => {
      const woken = await sql<{ id: string; accountId: string; revision: number }[]>`
        with over as materialized (
          select id from conversations where snoozed_until <= clock_timestamp()
          order by snoozed_until limit ${wokenAtOnce} for no key update skip locked
        )
        update conversations v set snoozed_until = null, revision = v.revision + 1 from over where v.id = over.id
        returning v.id, v.account_id, v.revision::float8 as revision`;
      for (const { id, accountId, revision } of woken) {
        await tell(changed(accountId, 'conversations'));
        await tell(talked(accountId, id, revision));
      }
      return woken.length;
    });
    if (count < wokenAtOnce) return;
  }
};
