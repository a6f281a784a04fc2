import { found } from '../errors.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { createTestMail } from '../mail/notification-test.ts';
import { insertMail } from '../mail/queries.ts';

/** Sends a user of the account, a UUID, the mail by which they try whether mails arrive. Throws `not_found`. */
export const sendTestMail = async (
  tx: Transaction,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> => {
  const [user] = await tx.sql<{ recipient: string; recipientName: string | null }[]>`
    select email as recipient, name as recipient_name from users where id = ${userId} and account_id = ${accountId}`;
  await insertMail(tx, createTestMail({ accountId, ...found('user', user) }));
};
