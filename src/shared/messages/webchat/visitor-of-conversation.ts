import { z } from 'zod';
import { asStored, codec, nullable, type RowOf } from '../../codec.ts';
import type { Sql } from '../../platform/db/connect.ts';

const orNull = (description: string) => nullable(asStored(z.string()), { description });

const visitor = codec({
  identified_as: orNull('The external_id for which your server vouches; null for an anonymous visitor.'),
  name: orNull('As the page says it. Not verified.'),
  email: orNull('As the page says it. Not verified: never use it to find out who somebody is.'),
  url: orNull('The page from which the last message came. Not verified.'),
  title: orNull('The title of that page. Not verified.'),
  referrer: orNull('Where the visitor came from. Not verified.'),
});

/** What is known of the visitor of a conversation over a webchat. */
export const visitorBody = visitor.body.meta({ id: 'Visitor' });

export const showVisitor = visitor.show;

/** The visitor with whom a conversation of the account is, a UUID; undefined for one over another type of channel. */
export const findVisitorOf = async (
  sql: Sql,
  { accountId, conversationId }: { accountId: string; conversationId: string },
): Promise<RowOf<typeof visitor> | undefined> => {
  const [row] = await sql<RowOf<typeof visitor>[]>`
    select v.identified_as, v.profile ->> 'name' as name, v.profile ->> 'email' as email,
      v.page ->> 'url' as url, v.page ->> 'title' as title, v.page ->> 'referrer' as referrer
    from conversations c join contact_identities i on i.contact_id = c.contact_id and i.channel_id = c.channel_id
    join webchat_visitors v on v.channel_id = i.channel_id and v.external_id = i.external_id
    where c.id = ${conversationId} and c.account_id = ${accountId} and v.account_id = ${accountId} limit 1`;
  return row;
};
