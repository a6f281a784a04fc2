import { RequestError } from '../errors.ts';
import { createHandoverMail } from '../mail/handover-requested.ts';
import { insertMail } from '../mail/queries.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import type { HandoverRow } from './schema.ts';

/** The most users of an account who get a mail for each handover. */
export const recipientsAtMost = 20;

/** Whether a user, a UUID, gets a mail for each handover of the account. */
export const isRecipient = async (sql: Sql, userId: string): Promise<boolean> => {
  const { count } = await sql`select from handover_recipients where user_id = ${userId}`;
  return count > 0;
};

/** Has a user of the account get a mail for each handover from now on, or none. Throws `conflict` where as many users as can do so already. */
export const setRecipient = async (
  { sql }: Transaction,
  { accountId, userId, isWanted }: { accountId: string; userId: string; isWanted: boolean },
): Promise<void> => {
  if (!isWanted) {
    await sql`delete from handover_recipients where user_id = ${userId}`;
    return;
  }
  // Those who ask at the same time are counted one after the other.
  await sql`select from accounts where id = ${accountId} for no key update`;
  const { count } = await sql`select from handover_recipients where account_id = ${accountId} and user_id <> ${userId}`;
  if (count >= recipientsAtMost)
    throw new RequestError('conflict', `Already ${recipientsAtMost} users of the account get these mails.`);
  await sql`
    insert into handover_recipients (user_id, account_id) values (${userId}, ${accountId}) on conflict (user_id) do nothing`;
};

/** Writes a mail of a handover to each user who wants one, once, in the transaction that has requested it. */
export const mailRecipients = async (tx: Transaction, accountId: string, handover: HandoverRow): Promise<void> => {
  const recipients = await tx.sql<{ userId: string; recipient: string; recipientName: string | null }[]>`
    select u.id as user_id, u.email as recipient, u.name as recipient_name from handover_recipients r join users u on u.id = r.user_id
    where r.account_id = ${accountId} order by u.id limit ${recipientsAtMost}`;
  const { id: handoverId, ...told } = handover;
  for (const recipient of recipients)
    await insertMail(tx, createHandoverMail({ ...told, ...recipient, accountId, handoverId }));
};
