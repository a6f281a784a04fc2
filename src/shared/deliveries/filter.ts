import type { z } from 'zod';
import type { Sql } from '../platform/db/connect.ts';
import { readAskedTime } from '../accounts/asked-time.ts';
import { showId } from '../ids.ts';
import type { DeliveryFilter } from './queries.ts';
import type { deliveryFilters } from './schema.ts';

/** The filter of the delivery log by the API's names, with ids as UUIDs. */
export type AskedDeliveries = { [Name in keyof typeof deliveryFilters]?: z.infer<(typeof deliveryFilters)[Name]> };

/** Undefined when the filter names a message without an event, which matches nothing. */
export const readDeliveryFilter = async (
  sql: Sql,
  accountId: string,
  { status, webhook_id, event, event_id, contact_id, message_id, test, since, until }: AskedDeliveries,
): Promise<DeliveryFilter | undefined> => {
  const told = message_id === undefined ? event_id : await findEventOfMessage(sql, accountId, message_id);
  if (message_id !== undefined && (told === undefined || (event_id !== undefined && event_id !== told)))
    return undefined;
  return {
    statuses: status,
    webhookId: webhook_id,
    eventName: event,
    eventId: told,
    contactId: contact_id,
    isTest: test,
    since: await readAskedTime(sql, accountId, since),
    until: await readAskedTime(sql, accountId, until),
  };
};

/** Messages of version 0.2 have no event id, so theirs is searched for among the events of that minute. */
const findEventOfMessage = async (sql: Sql, accountId: string, messageId: string): Promise<string | undefined> => {
  const [row] = await sql<{ eventId: string | null }[]>`
    select coalesce(m.event_id, (
      select e.id from events e
      where e.account_id = ${accountId} and e.name = 'new_message'
        and e.id >= uuid_from_time(m.sent_at - interval '1 minute') and e.id < uuid_from_time(m.sent_at + interval '1 minute')
        and e.data -> 'message' ->> 'id' = ${showId('message', messageId)}
      limit 1)) as event_id
    from messages m where m.id = ${messageId} and m.account_id = ${accountId}`;
  return row?.eventId ?? undefined;
};
