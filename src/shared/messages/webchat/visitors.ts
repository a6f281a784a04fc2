import { newUuid, showId, type Noun } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { createToken, hashToken } from '../../platform/secrets/tokens.ts';

/** What messages name their sender by. Visitors cannot choose it: it is one that we have made. */
export const visitorNoun: Noun = { name: 'visitor', prefix: 'vis' };

/** The most tokens of a visitor: the browsers that were used last keep theirs. */
const tokensOfVisitor = 20;

/** How long the first message of a visitor that is sent again is known, while no token of its answers has been used: a device may have been away. */
const retryDays = 7;

type OnChannel = { accountId: string; channelId: string };

/** A visitor, and a token that its browser is to keep; the id is a UUID. */
export type BegunVisitor = { id: string; externalId: string; token: string };

type FirstMessage = OnChannel & { firstRef: string };

/**
 * Makes a visitor for a first message. The same first message again is of the same visitor, with another token, as long as no answer has come to it:
 * whoever uses a token has had one. Undefined for a `firstRef` that somebody else has.
 */
export const beginVisitor = async (sql: Sql, first: FirstMessage): Promise<BegunVisitor | undefined> =>
  // The same message may have been under way, and its visitor is seen by a statement that begins after its commit.
  (await tryToBegin(sql, first)) ?? tryToBegin(sql, first);

const tryToBegin = async (
  sql: Sql,
  { accountId, channelId, firstRef }: FirstMessage,
): Promise<BegunVisitor | undefined> => {
  const made = newVisitor();
  const token = createToken('');
  const [visitor] = await sql<{ id: string; externalId: string }[]>`
    with made as (
      insert into webchat_visitors (id, account_id, channel_id, external_id, first_ref)
      values (${made.id}, ${accountId}, ${channelId}, ${made.externalId}, ${firstRef})
      on conflict (channel_id, first_ref) where first_ref is not null do nothing returning id, external_id
    ), visitor as (
      select id, external_id from made union all
      select v.id, v.external_id from webchat_visitors v
      where v.channel_id = ${channelId} and v.first_ref = ${firstRef}
        and v.created_at > clock_timestamp() - make_interval(days => ${retryDays})
        and not exists (select from webchat_tokens t where t.visitor_id = v.id and t.used_at is not null)
    ), token as (
      insert into webchat_tokens (hash, visitor_id) select ${hashToken(token)}, id from visitor
    )
    select id, external_id from visitor`;
  if (visitor) await keepLatestTokens(sql, visitor.id);
  return visitor && { ...visitor, token };
};

/** The visitor for whom the account's server vouches, with what the page says of it, and a new token unless it `has` one of its own. */
export const identifyVisitor = async (
  sql: Sql,
  {
    accountId,
    channelId,
    identifiedAs,
    profile,
    provenEmail,
    has,
  }: OnChannel & {
    identifiedAs: string;
    profile: { name?: string; email?: string };
    /** The address for which the account's server vouches, if it does. */
    provenEmail: string | undefined;
    has: { visitorId: string; token: string } | undefined;
  },
): Promise<BegunVisitor> => {
  const made = newVisitor();
  const [visitor] = await sql<[{ id: string; externalId: string }]>`
    insert into webchat_visitors (id, account_id, channel_id, external_id, identified_as, profile, proven_email)
    values (${made.id}, ${accountId}, ${channelId}, ${made.externalId}, ${identifiedAs}, ${sql.json(profile)}, ${provenEmail ?? null})
    on conflict (channel_id, identified_as) where identified_as is not null do update
    set profile = excluded.profile, proven_email = excluded.proven_email,
      vouched_email = coalesce(excluded.proven_email, webchat_visitors.vouched_email, webchat_visitors.proven_email),
      wants_no_mail = webchat_visitors.wants_no_mail and (excluded.proven_email is null
        or excluded.proven_email is not distinct from coalesce(webchat_visitors.vouched_email, webchat_visitors.proven_email))
    returning id, external_id`;
  if (has?.visitorId === visitor.id) return { ...visitor, token: has.token };
  return { ...visitor, token: await addToken(sql, visitor.id) };
};

/** Makes a token for another browser of the visitor, a UUID. */
export const addToken = async (sql: Sql, visitorId: string): Promise<string> => {
  const token = createToken('');
  await sql`insert into webchat_tokens (hash, visitor_id) values (${hashToken(token)}, ${visitorId})`;
  await keepLatestTokens(sql, visitorId);
  return token;
};

const newVisitor = () => {
  const id = newUuid();
  return { id, externalId: showId(visitorNoun, id) };
};

const keepLatestTokens = async (sql: Sql, visitorId: string): Promise<void> => {
  await sql`
    delete from webchat_tokens where hash = any(array(
      select hash from webchat_tokens where visitor_id = ${visitorId} order by coalesce(used_at, created_at) desc
      offset ${tokensOfVisitor}))`;
};

/** Notes that a browser has this token, and when it has used it last. */
export const noteUse = async (sql: Sql, tokenHash: Buffer): Promise<void> => {
  await sql`update webchat_tokens set used_at = clock_timestamp() where hash = ${tokenHash}`;
};

/** Keeps the page on which a visitor is; the id is a UUID. */
export const notePage = async (sql: Sql, visitorId: string, page: Record<string, string>): Promise<void> => {
  await sql`
    update webchat_visitors set page = ${sql.json(page)} where id = ${visitorId} and page is distinct from ${sql.json(page)}`;
};
