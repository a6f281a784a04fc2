import type { Database, Sql } from '../../src/shared/platform/db/connect.ts';
import type { DeliveryStatus } from '../../src/shared/deliveries/types.ts';
import type { Variant } from '../../src/shared/events/names.ts';
import { newUuid } from '../../src/shared/ids.ts';

type Fields = {
  accountId: string;
  webhookId: string;
  status: DeliveryStatus;
  variant?: Variant;
  contactId?: string;
  body?: string;
};

/** A delivery as the log would have it in this status; answers its UUID. */
export const aDelivery = async (
  db: Sql,
  { accountId, webhookId, status, variant = 'api', contactId = newUuid(), body = '{"event":"new_message"}' }: Fields,
): Promise<string> => {
  const id = newUuid();
  const carried = status === 'pending' || status === 'retrying';
  await db`
    insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, status, sweep_at,
      next_attempt_at, finished_at)
    values (${id}, ${accountId}, ${webhookId}, ${newUuid()}, 'new_message', ${variant}, ${contactId}, ${Buffer.from(body)}, ${status},
      ${carried ? db`now()` : null}, ${status === 'retrying' ? db`now() + interval '30 seconds'` : null},
      ${carried || status === 'parked' ? null : db`now()`})`;
  return id;
};

/** So many of them at once; those that are pending are overdue, the first the longest. */
export const manyDeliveries = async (
  db: Database,
  { accountId, webhookId, status, variant = 'api', count }: Omit<Fields, 'contactId' | 'body'> & { count: number },
): Promise<void> => {
  const carried = status === 'pending';
  await db`
    insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, status, sweep_at,
      finished_at)
    select uuidv7(), ${accountId}, ${webhookId}, uuidv7(), 'new_message', ${variant}, uuidv7(), convert_to(repeat('x', 300), 'UTF8'),
      ${status}, case when ${carried} then now() - interval '1 hour' + i * interval '1 ms' end,
      case when ${status} not in ('pending', 'parked') then now() end
    from generate_series(1, ${count}::int) i`;
};
