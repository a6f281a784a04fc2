import type { Sql } from '../db/connect.ts';
import { createToken, hashToken } from '../secrets/tokens.ts';
import type { SignedInUser } from './schema.ts';

/** How long a dashboard session lasts, in ms: 14 days. */
export const sessionLifetimeMs = 14 * 24 * 60 * 60 * 1000;

/** Opens a session and answers its token, which only the browser keeps. Clears away what has expired. */
export const createSession = async (sql: Sql, userId: string): Promise<string> => {
  const token = createToken('');
  await sql`
    with expired as (delete from sessions where expires_at <= now())
    insert into sessions (token_hash, user_id, expires_at)
    values (${hashToken(token)}, ${userId}, now() + make_interval(secs => ${sessionLifetimeMs / 1000}))`;
  return token;
};

/** Who a session's token speaks for, or undefined when it is unknown, expired or signed out. */
export const findSessionUser = async (sql: Sql, token: string): Promise<SignedInUser | undefined> => {
  const [user] = await sql<SignedInUser[]>`
    select u.id as user_id, u.email, u.role, a.id as account_id, a.name as account_name, a.plan
    from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
    where s.token_hash = ${hashToken(token)} and s.expires_at > now()`;
  return user;
};

/** Ends a session; an unknown one is ended already. */
export const deleteSession = async (sql: Sql, token: string): Promise<void> => {
  await sql`delete from sessions where token_hash = ${hashToken(token)}`;
};
