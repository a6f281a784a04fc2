import type { Database } from '../../src/shared/db/connect.ts';
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
  db: Database,
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
