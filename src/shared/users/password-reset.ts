import { changePassword } from '../accounts/change-password.ts';
import { normalizeEmail } from '../accounts/email.ts';
import { insertLinkMail } from '../mail/queries.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { badToken, isGood } from './link-tokens.ts';
import { createPasswordResetMail } from './mails.ts';
import type { EventTransaction } from '../facts/tell.ts';

/** Writes the mail with the link that sets a new password. An e-mail address that is nobody's gets none, and is no error. */
export const sendPasswordReset = async (
  tx: Transaction,
  { email, baseUrl }: { email: string; baseUrl: string },
): Promise<void> => {
  const [user] = await tx.sql<{ id: string; accountId: string; email: string; name: string | null }[]>`
    select id, account_id, email, name from users where lower(email collate "C") = ${normalizeEmail(email)}
    order by email = ${email} desc limit 1 for no key update`;
  if (user) await insertLinkMail(tx, createPasswordResetMail(user, { baseUrl }));
};

/**
 * Sets the password of the user whose link has this token, and answers the user's UUID. All sessions of the user end, and no link that was sent
 * is good any more. Throws 422 for a token that is not good.
 */
export const resetPassword = async (
  tx: EventTransaction,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<string> => {
  const [used] = await tx.sql<{ userId: string }[]>`
    delete from link_tokens where ${isGood(tx.sql, token)} and user_id is not null returning user_id`;
  const isSet = used && (await changePassword(tx, { userId: used.userId, passwordHash }));
  if (!isSet) throw badToken();
  return used.userId;
};
