import { invalid, type RequestError } from '../errors.ts';
import type { LinkKind } from '../mail/types.ts';
import type { Sql } from '../platform/db/connect.ts';
import { createToken, hashToken } from '../platform/secrets/tokens.ts';

/** The kinds of links that prove who opens them: those of mails, and the one that an operator gets for a user. */
type TokenKind = LinkKind | 'sign_in';

/** What each kind of link is for, and for how long. */
const links = {
  invitation: { table: 'invitations', column: 'invitation_id', lifetime: '7 days' },
  password_reset: { table: 'users', column: 'user_id', lifetime: '1 hour' },
  sign_in: { table: 'users', column: 'sign_in_user_id', lifetime: '1 hour' },
} as const satisfies Record<TokenKind, object>;

/** How many of the latest tokens of a link are good: a mail that is handed over twice may be read in either form. */
const goodAtOnce = 3;

/**
 * Makes a token for a link, as of a mail that is being sent. Only the link has it: the hash is stored. Undefined when what the link is for is
 * gone. `to` is the UUID of the invitation or user.
 */
export const createLinkToken = async (
  sql: Sql,
  { kind, to }: { kind: TokenKind; to: string },
): Promise<string | undefined> => {
  const { table, column, lifetime } = links[kind];
  const token = createToken('');
  const { count } = await sql`
    with surplus as (
      delete from link_tokens where token_hash in (
        select token_hash from link_tokens where ${sql(column)} = ${to} order by expires_at desc offset ${goodAtOnce - 1})
    )
    insert into link_tokens (token_hash, ${sql(column)}, expires_at)
    select ${hashToken(token)}, id, clock_timestamp() + ${lifetime}::interval from ${sql(table)} where id = ${to}`;
  return count > 0 ? token : undefined;
};

/** SQL: what the token is for, as the row `link_tokens`, if it is good. */
export const isGood = (sql: Sql, token: string) =>
  sql`token_hash = ${hashToken(token)} and expires_at > clock_timestamp()`;

/** Throws 422 for a token that is not good for this kind of link. */
export const requireGoodToken = async (sql: Sql, kind: LinkKind, token: string): Promise<void> => {
  const { count } = await sql`
    select from link_tokens where ${isGood(sql, token)} and ${sql(links[kind].column)} is not null`;
  if (count === 0) throw badToken();
};

/** One refusal for a token that is unknown, used, too old or of another link. `another` is what brings a new one. */
export const badToken = (another = 'mail'): RequestError =>
  invalid({ path: 'token', message: `is unknown, used or expired: request another ${another}` });

/** Deletes the tokens that are too old, of all links. */
export const deleteOldLinkTokens = async (sql: Sql): Promise<void> => {
  await sql`delete from link_tokens where expires_at <= clock_timestamp()`;
};
