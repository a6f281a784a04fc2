import type { EventTransact, EventTransaction } from '../facts/tell.ts';
import { insertMail } from '../mail/queries.ts';
import { createVisitorMail } from '../mail/visitor-answer.ts';

/** The most mails to visitors in an hour, over all channels of an account. */
const usualAnHour = 200;

/** When an account that has sent as many is looked at again, in minutes. */
const minutesUntilRoom = 10;

/** The most visitors that one transaction mails. */
const mailedAtOnce = 20;

type Due = {
  visitorId: string;
  accountId: string;
  conversationId: string;
  messageId: string;
  recipient: string;
  title: string;
  isWanted: boolean;
};

/**
 * Mails visitors of webchats who left before an agent answered, once until they come back. Any number of processes may do so at the same time: who
 * holds a wait mails alone, and mail and wait are one transaction.
 */
export const mailVisitors = async (
  { transact, anHourAtMost = usualAnHour }: { transact: EventTransact; anHourAtMost?: number },
  signal?: AbortSignal,
): Promise<void> => {
  for (;;) {
    if (signal?.aborted) return;
    const count = await transact((tx) => mailSome(tx, anHourAtMost));
    if (count < mailedAtOnce) return;
  }
};

const mailSome = async (tx: EventTransaction, anHourAtMost: number): Promise<number> => {
  const { sql } = tx;
  const waits = await sql<Due[]>`
    select w.visitor_id, w.account_id, w.conversation_id, w.message_id, coalesce(v.proven_email, '') as recipient,
      coalesce(c.config ->> 'title', c.name) as title,
      c.deleted_at is null and c.config ->> 'mail_after_minutes' is not null and v.proven_email is not null and not v.wants_no_mail
        and p.status = 'active' as is_wanted
    from visitor_waits w join webchat_visitors v on v.id = w.visitor_id join channels c on c.id = v.channel_id
    join conversations t on t.id = w.conversation_id join contacts p on p.id = t.contact_id
    where w.due_at <= clock_timestamp() order by w.due_at limit ${mailedAtOnce} for no key update of w skip locked`;
  const sent = await countSent(tx, [...new Set(waits.map(({ accountId }) => accountId))].toSorted());
  for (const { isWanted, ...due } of waits) {
    const { visitorId, accountId } = due;
    const count = sent.get(accountId) ?? 0;
    if (!isWanted) await sql`delete from visitor_waits where visitor_id = ${visitorId}`;
    else if (count >= anHourAtMost)
      await sql`
        update visitor_waits set due_at = clock_timestamp() + make_interval(mins => ${minutesUntilRoom})
        where visitor_id = ${visitorId}`;
    else {
      await insertMail(tx, createVisitorMail(due));
      await sql`update visitor_waits set due_at = null where visitor_id = ${visitorId}`;
      sent.set(accountId, count + 1);
    }
  }
  return waits.length;
};

/** How many mails these accounts have sent in the last hour. Their lock has other processes count these as well. */
const countSent = async ({ sql }: EventTransaction, accountIds: string[]): Promise<Map<string, number>> => {
  for (const accountId of accountIds)
    await sql`select pg_advisory_xact_lock(${mailsLockClass}, hashtext(${accountId}))`;
  const rows = await sql<{ accountId: string; count: number }[]>`
    select a.id as account_id, count(m.id)::integer as count
    from unnest(${accountIds}::uuid[]) as a (id)
    left join mails m on m.account_id = a.id and m.id > uuidv7(interval '-1 hour') and m.kind = 'visitor_answer' group by a.id`;
  return new Map(rows.map(({ accountId, count }) => [accountId, count]));
};

/** Of the locks of accounts whose visitors are mailed. */
const mailsLockClass = 7_205_790;
