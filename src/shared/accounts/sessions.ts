import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import { createToken, hashToken } from '../platform/secrets/tokens.ts';
import type { Role, SessionRow, SignedInUser } from './schema.ts';

/** How long a dashboard session lasts at most, in ms: 14 days. */
export const sessionLifetimeMs = 14 * 24 * 60 * 60 * 1000;

/** The days after which an unused session is over: it outlasts a weekend. */
const idleDays = 3;

/** The most sessions of a user. A new one then ends the least recently used one. */
const maxSessions = 50;

/** Where a session is used from: the client's address and what its browser calls itself. */
export type SessionClient = { address: string | null; userAgent: string | null };

const unknownClient: SessionClient = { address: null, userAgent: null };

/** Opens a session and answers its token, which only the browser keeps. Deletes the user's sessions that are over. */
export const createSession = async (sql: Sql, userId: string, client = unknownClient): Promise<string> => {
  const token = createToken('');
  await sql`
    with surplus as (
      delete from sessions where user_id = ${userId} and (${isOver(sql)} or id in (
        select id from sessions where user_id = ${userId} order by last_used_at desc offset ${maxSessions - 1}
      ))
    )
    insert into sessions (token_hash, user_id, expires_at, address, user_agent)
    values (${hashToken(token)}, ${userId}, now() + make_interval(secs => ${sessionLifetimeMs / 1000}),
      ${client.address}, ${client.userAgent})`;
  return token;
};

const isOver = (sql: Sql) =>
  sql`(sessions.expires_at <= now() or sessions.last_used_at <= now() - make_interval(days => ${idleDays}))`;

/**
 * The user of a session's token, or undefined when it is unknown, over or signed out; `sessionId` is a UUID. The use and its client are
 * recorded once a minute.
 */
export const findSessionUser = async (
  sql: Sql,
  token: string,
  client = unknownClient,
): Promise<(SignedInUser & { sessionId: string }) | undefined> => {
  const [user] = await sql<(SignedInUser & { sessionId: string })[]>`
    with holder as (
      select sessions.id as session_id, sessions.last_used_at, u.id as user_id, u.email, u.name, u.role,
        a.id as account_id, a.name as account_name, a.plan
      from sessions join users u on u.id = sessions.user_id join accounts a on a.id = u.account_id
      where sessions.token_hash = ${hashToken(token)} and not ${isOver(sql)}
    ), used as (
      update sessions set last_used_at = now(), address = ${client.address}, user_agent = ${client.userAgent} from holder
      where sessions.token_hash = ${hashToken(token)} and holder.last_used_at < now() - interval '1 minute'
    )
    select session_id, user_id, email, name, role, account_id, account_name, plan from holder`;
  return user;
};

/** Which of these sessions are not over, with the present roles of their users. It counts as no use. Ids are UUIDs. */
export const findLiveSessions = async (
  sql: Sql,
  sessions: readonly { sessionId: string; userId: string }[],
): Promise<Map<string, Role>> => {
  const rows = await sql<{ id: string; role: Role }[]>`
    select sessions.id, u.role from sessions join users u on u.id = sessions.user_id
    where sessions.user_id = any(${sessions.map(({ userId }) => userId)}::uuid[])
      and sessions.id = any(${sessions.map(({ sessionId }) => sessionId)}::uuid[]) and not ${isOver(sql)}`;
  return new Map(rows.map(({ id, role }) => [id, role]));
};

/** A user's sessions that are not over, newest first. */
export const listSessions = (sql: Sql, userId: string, page: Page): Promise<SessionRow[]> => sql<SessionRow[]>`
  select id, created_at, last_used_at, expires_at, address, user_agent from sessions
  where user_id = ${userId} and not ${isOver(sql)} ${pageOf(sql, page)}`;

/** Ends a session by its token. An unknown token is no error. */
export const deleteSession = async (sql: Sql, token: string): Promise<void> => {
  await sql`delete from sessions where token_hash = ${hashToken(token)}`;
};

/** Ends one session of a user. False when the user has no such session. */
export const endSession = async (sql: Sql, userId: string, id: string): Promise<boolean> => {
  const { count } = await sql`delete from sessions where user_id = ${userId} and id = ${id}`;
  return count > 0;
};

/** Ends a user's sessions, except `but`, and answers how many. */
export const endSessions = async (sql: Sql, userId: string, { but }: { but?: string } = {}): Promise<number> => {
  const { count } = await sql`
    delete from sessions where user_id = ${userId} ${but === undefined ? sql`` : sql`and id <> ${but}`}`;
  return count;
};

/** Deletes the sessions that are over, of all users. */
export const deleteSessionsOver = async (sql: Sql): Promise<void> => {
  await sql`delete from sessions where ${isOver(sql)}`;
};
