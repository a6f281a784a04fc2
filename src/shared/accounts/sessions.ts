import type { Sql } from '../platform/db/connect.ts';
import { createToken, hashToken } from '../platform/secrets/tokens.ts';
import type { SessionRow, SignedInUser } from './schema.ts';

/** How long a dashboard session lasts at most, in ms: 14 days. */
export const sessionLifetimeMs = 14 * 24 * 60 * 60 * 1000;

/** A session that nobody uses for so long is over: a weekend passes, a forgotten one does not last. */
const idleDays = 3;

/** Sessions that a user has at a time; a new one ends the one that was used least lately. */
const maxSessions = 50;

/** Where a session is used from. */
export type SessionClient = { address: string | null; userAgent: string | null };

const unknownClient: SessionClient = { address: null, userAgent: null };

/** Opens a session and answers its token, which only the browser keeps. Clears away those of the user that are over. */
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
 * Who a session's token speaks for, or undefined when it is unknown, over or signed out; `sessionId` is a UUID. Notes the
 * use, and by whom, once a minute.
 */
export const findSessionUser = async (
  sql: Sql,
  token: string,
  client = unknownClient,
): Promise<(SignedInUser & { sessionId: string }) | undefined> => {
  const [user] = await sql<(SignedInUser & { sessionId: string })[]>`
    with holder as (
      select sessions.id as session_id, sessions.last_used_at, u.id as user_id, u.email, u.role,
        a.id as account_id, a.name as account_name, a.plan
      from sessions join users u on u.id = sessions.user_id join accounts a on a.id = u.account_id
      where sessions.token_hash = ${hashToken(token)} and not ${isOver(sql)}
    ), used as (
      update sessions set last_used_at = now(), address = ${client.address}, user_agent = ${client.userAgent} from holder
      where sessions.token_hash = ${hashToken(token)} and holder.last_used_at < now() - interval '1 minute'
    )
    select session_id, user_id, email, role, account_id, account_name, plan from holder`;
  return user;
};

/** A user's sessions that are not over, newest first; `before` is the id to go on from. */
export const listSessions = (
  sql: Sql,
  userId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<SessionRow[]> => sql<SessionRow[]>`
  select id, created_at, last_used_at, expires_at, address, user_agent from sessions
  where user_id = ${userId} and not ${isOver(sql)} ${before === undefined ? sql`` : sql`and id < ${before}`}
  order by id desc limit ${limit}`;

/** Ends a session by its token; an unknown one is ended already. */
export const deleteSession = async (sql: Sql, token: string): Promise<void> => {
  await sql`delete from sessions where token_hash = ${hashToken(token)}`;
};

/** Ends one session of a user; false when the user has no such session. */
export const endSession = async (sql: Sql, userId: string, id: string): Promise<boolean> => {
  const { count } = await sql`delete from sessions where user_id = ${userId} and id = ${id}`;
  return count > 0;
};

/** Ends a user's sessions, but for one where that is named; answers how many. */
export const endSessions = async (sql: Sql, userId: string, { but }: { but?: string } = {}): Promise<number> => {
  const { count } = await sql`
    delete from sessions where user_id = ${userId} ${but === undefined ? sql`` : sql`and id <> ${but}`}`;
  return count;
};

/** Deletes sessions that are over, of all users. */
export const deleteSessionsOver = async (sql: Sql): Promise<void> => {
  await sql`delete from sessions where ${isOver(sql)}`;
};
