import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { badToken, createLinkToken, isGood } from './link-tokens.ts';

/**
 * Makes a link that signs a user in, once, within an hour. Undefined when there is no such user. Its token stands behind the `#`, which browsers
 * send to nobody: no access log has it.
 */
export const createSignInLink = async (
  sql: Sql,
  { userId, baseUrl }: { userId: string; baseUrl: string },
): Promise<string | undefined> => {
  const token = await createLinkToken(sql, { kind: 'sign_in', to: userId });
  return token && `${baseUrl}/sign-in#token=${token}`;
};

/** Uses up the token of such a link, and answers the UUID of its user. Throws 422 for a token that is not good. */
export const takeSignInLink = async ({ sql }: Transaction, token: string): Promise<string> => {
  // First the user, as a change of the password does, which ends sessions and then links: else a session that begins now would outlive it.
  await sql`
    select from users join link_tokens on sign_in_user_id = users.id where ${isGood(sql, token)} for no key update of users`;
  const [used] = await sql<{ userId: string }[]>`
    delete from link_tokens where ${isGood(sql, token)} and sign_in_user_id is not null
    returning sign_in_user_id as user_id`;
  if (!used) throw badToken('link');
  return used.userId;
};
