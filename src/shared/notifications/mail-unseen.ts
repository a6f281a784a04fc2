import type { EventTransact, EventTransaction } from '../facts/tell.ts';
import { insertMail } from '../mail/queries.ts';
import { createUnseenMail, keyOfUnseenMail } from '../mail/unseen-message.ts';
import type { Sql } from '../platform/db/connect.ts';
import { findFirstUnseen } from './first-unseen.ts';
import { planMails } from './plan-mails.ts';
import type { NotificationSettings } from './schema.ts';

/** The most conversations that one transaction looks at. Messages to them wait for it, so they are few. */
const lookedAtOnce = 5;

type Wait = { conversationId: string; accountId: string; since: Date; assignedTo: string | null; now: Date };

/** A user who wants mails; ids are UUIDs. */
type Reader = {
  userId: string;
  accountId: string;
  settings: NotificationSettings;
  recipient: string;
  recipientName: string | null;
  mailsThisHour: number;
};

/**
 * Mails users about messages that nobody has seen for as long as they have chosen. Any number of processes may do so at the same time: who holds a
 * conversation looks at it alone, and mail and look are one transaction.
 */
export const mailUnseen = async ({ transact }: { transact: EventTransact }, signal?: AbortSignal): Promise<void> => {
  for (;;) {
    if (signal?.aborted) return;
    const looked = await transact(lookAtSome);
    if (looked < lookedAtOnce) return;
  }
};

const lookAtSome = async (tx: EventTransaction): Promise<number> => {
  const { sql } = tx;
  // The lock of a conversation keeps messages from coming meanwhile: none is missed by a wait that ends here.
  const waits = await sql<Wait[]>`
    select w.conversation_id, w.account_id, w.since, v.assigned_to, clock_timestamp() as now
    from unseen_waits w join conversations v on v.id = w.conversation_id
    where w.due_at <= clock_timestamp() order by w.due_at limit ${lookedAtOnce} for no key update skip locked`;
  if (waits.length === 0) return 0;
  const firstUnseen = await findFirstUnseen(
    sql,
    waits.map(({ conversationId }) => conversationId),
  );
  const readers = await listReaders(sql, [...new Set(waits.map(({ accountId }) => accountId))]);
  const mailed = await listMailed(sql, { messageIds: [...firstUnseen.values()], readers });
  for (const { conversationId, accountId, now, ...wait } of waits) {
    const messageId = firstUnseen.get(conversationId);
    const plan =
      messageId !== undefined &&
      planMails(wait, {
        readers: readers.filter((reader) => reader.accountId === accountId),
        hasMail: ({ userId }) => mailed.has(keyOfUnseenMail({ messageId, userId })),
        now,
      });
    if (plan)
      for (const { userId, recipient, recipientName } of plan.mailTo) {
        const about = { accountId, conversationId, messageId, since: wait.since };
        await insertMail(tx, createUnseenMail({ ...about, userId, recipient, recipientName }));
      }
    if (plan && plan.lookAt)
      await sql`update unseen_waits set due_at = ${plan.lookAt} where conversation_id = ${conversationId}`;
    else await sql`delete from unseen_waits where conversation_id = ${conversationId}`;
  }
  return waits.length;
};

/** The users of these accounts who want mails, with how many they had in the last hour. Their lock has others count these mails as well. */
const listReaders = async (sql: Sql, accountIds: string[]): Promise<Reader[]> => {
  await sql`
    select from notification_settings where account_id = any (${accountIds}::uuid[]) and mail_minutes is not null
    order by user_id for no key update`;
  return sql<Reader[]>`
    select s.user_id, s.account_id, s.settings, u.email as recipient, u.name as recipient_name, coalesce(sent.count, 0)::integer as mails_this_hour
    from notification_settings s join users u on u.id = s.user_id
    left join (
      select user_id, count(*) as count from mails
      where account_id = any (${accountIds}::uuid[]) and id > uuidv7(interval '-1 hour') and kind = 'unseen_message' group by user_id
    ) as sent on sent.user_id = s.user_id
    where s.account_id = any (${accountIds}::uuid[]) and s.mail_minutes is not null order by s.user_id`;
};

/** The keys of the mails about these messages that users have had before. */
const listMailed = async (
  sql: Sql,
  { messageIds, readers }: { messageIds: readonly string[]; readers: readonly Reader[] },
): Promise<Set<string>> => {
  const keys = messageIds.flatMap((messageId) => readers.map(({ userId }) => keyOfUnseenMail({ messageId, userId })));
  const rows = await sql<{ dedupKey: string }[]>`select dedup_key from mails where dedup_key = any (${keys})`;
  return new Set(rows.map(({ dedupKey }) => dedupKey));
};
