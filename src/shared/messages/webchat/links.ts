import type { Sql } from '../../platform/db/connect.ts';
import { createToken, hashToken } from '../../platform/secrets/tokens.ts';
import { isSiteOrigin } from '../channels/webchat/origins.ts';
import { addToken } from './visitors.ts';

/** How long a link of a mail leads into the conversation, in hours. Later it leads to the page alone. */
const validHours = 24;

/** The most links of a visitor that are good: the newest. */
const linksOfVisitor = 5;

/** What a page has in its fragment, which browsers send to nobody, where it was opened by a link of a mail. */
export const returnFragment = 'parley-chat';

/** Makes a token by which one browser becomes that of the visitor, a UUID. It is stored as its hash. */
export const createReturnToken = async (sql: Sql, visitorId: string): Promise<string> => {
  const token = createToken('');
  await sql`
    insert into webchat_links (hash, visitor_id, expires_at)
    values (${hashToken(token)}, ${visitorId}, clock_timestamp() + make_interval(hours => ${validHours}))`;
  await sql`
    delete from webchat_links where hash = any(array(
      select hash from webchat_links where visitor_id = ${visitorId} order by expires_at desc offset ${linksOfVisitor}))`;
  return token;
};

/**
 * Exchanges the token of a link for that of a browser. The same again answers another one in place of the first, as long as no browser has used that:
 * its answer was lost. Undefined for one that was used, has expired, or is of another channel.
 */
export const exchangeReturnToken = async (
  sql: Sql,
  { channelId, token }: { channelId: string; token: string },
): Promise<string | undefined> => {
  const linkHash = hashToken(token);
  await sql`select from webchat_links where hash = ${linkHash} for update`;
  const [link] = await sql<{ visitorId: string }[]>`
    with link as materialized (
      select l.visitor_id, l.token_hash from webchat_links l join webchat_visitors v on v.id = l.visitor_id
      where l.hash = ${linkHash} and v.channel_id = ${channelId} and l.expires_at > clock_timestamp()
    ), unused as (
      delete from webchat_tokens t using link where t.hash = link.token_hash and t.used_at is null returning t.hash
    )
    select visitor_id from link where token_hash is null or exists (select from unused)`;
  if (!link) return undefined;
  const given = await addToken(sql, link.visitorId);
  await sql`update webchat_links set token_hash = ${hashToken(given)} where hash = ${linkHash}`;
  return given;
};

/** The page to which a mail leads: that from which the visitor wrote, if the channel's sites have it, or the channel's demo page. */
export const pageOfLink = (
  page: string | null,
  { origins, demo }: { origins: readonly string[]; demo: string },
): string => {
  const url = page === null ? null : URL.parse(page);
  if (!url || !isSiteOrigin(url.origin) || !origins.includes(url.origin)) return demo;
  url.hash = '';
  return url.href;
};
