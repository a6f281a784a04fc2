import type { Plan } from '../../accounts/plans.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { StoredConfig } from '../channels/kind.ts';

/** A webchat as its public routes have it, whosever it is; ids are UUIDs, secrets are sealed. */
export type Webchat = {
  id: string;
  accountId: string;
  plan: Plan;
  name: string;
  config: NonNullable<StoredConfig['config']>;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
};

/** Who shows a token of the webchat; ids are UUIDs. */
export type Visitor = {
  id: string;
  /** That of the sender in messages on the channel. */
  externalId: string;
  identifiedAs: string | null;
  profile: { name?: string; email?: string };
  /** Null until the visitor has written. */
  contactId: string | null;
  /** Whether it is long ago, or never, that the use of the token was noted. */
  isUseUnnoted: boolean;
  /** Whether an answer has come while none of its browsers was there. */
  isAwaited: boolean;
};

/** The webchat, and whose token this is the hash of; undefined where there is no such webchat. `id` is a UUID. */
export const findVisit = async (
  sql: Sql,
  { id, tokenHash }: { id: string; tokenHash: Buffer | undefined },
): Promise<{ channel: Webchat; visitor: Visitor | null } | undefined> => {
  const [row] = await sql<(Webchat & { visitor: Visitor | null })[]>`
    select c.id, c.account_id, a.plan, c.name, c.config, c.secret,
      case when c.previous_secret_until > clock_timestamp() then c.previous_secret end as previous_secret, visitor.visitor
    from channels c join accounts a on a.id = c.account_id left join lateral (
      select json_build_object('id', v.id, 'externalId', v.external_id, 'identifiedAs', v.identified_as, 'profile', v.profile,
        'contactId', (select i.contact_id from contact_identities i where i.channel_id = v.channel_id and i.external_id = v.external_id),
        'isAwaited', exists (select from visitor_waits w where w.visitor_id = v.id),
        'isUseUnnoted', coalesce(t.used_at < clock_timestamp() - interval '1 day', true)) as visitor
      from webchat_tokens t join webchat_visitors v on v.id = t.visitor_id
      where t.hash = ${tokenHash ?? null}::bytea and v.channel_id = c.id
    ) as visitor on true
    where c.id = ${id} and c.type = 'webchat' and c.deleted_at is null`;
  if (!row) return undefined;
  const { visitor, ...channel } = row;
  return { channel, visitor };
};
