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

/** Makes a token by which one browser becomes that of the visitor, a UUID, once. It is stored as its hash. */
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

/** Exchanges the token of a link for that of a browser. Undefined for one that was used, has expired, or is of another channel. */
export const exchangeReturnToken = async (
  sql: Sql,
  { channelId, token }: { channelId: string; token: string },
): Promise<string | undefined> => {
  const [link] = await sql<{ visitorId: string; isGood: boolean }[]>`
    delete from webchat_links l using webchat_visitors v
    where l.hash = ${hashToken(token)} and v.id = l.visitor_id and v.channel_id = ${channelId}
    returning v.id as visitor_id, l.expires_at > clock_timestamp() as is_good`;
  return link?.isGood ? addToken(sql, link.visitorId) : undefined;
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
