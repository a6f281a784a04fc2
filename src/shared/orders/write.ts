import { lockContact } from '../contacts/lock-contact.ts';
import { conflictWith, found, notFound } from '../errors.ts';
import { emitEvent, type EventTransaction } from '../events/emit.ts';
import { findOrder, findOrderByExternalId, updateStatus, upsertOrder, type WrittenOrder } from './queries.ts';
import { tellOrder, type NewOrder, type OrderRow } from './schema.ts';

/**
 * Makes an order, or changes the one of its external id, under the contact's lock. Emits order_placed for a new one, and
 * order_status_changed for one that had another status. Throws `not_found` when the account has no such contact, and `conflict` when the order
 * is another contact's, which names the order.
 */
export const placeOrder = async (tx: EventTransaction, accountId: string, order: NewOrder): Promise<OrderRow> => {
  const { contact_id: contactId } = order;
  if (!(await lockContact(tx.sql, { accountId, contactId }))) throw notFound('contact');
  const written = await upsertOrder(tx.sql, accountId, order);
  if (!written) {
    const message =
      'There is an order of this external_id already, of another contact: an order stays with its contact.';
    const id = await findOrderByExternalId(tx.sql, accountId, order.external_id);
    throw conflictWith(message, { noun: 'order', id, key: 'external_id' });
  }
  await tellOf(tx, accountId, written);
  return written;
};

/**
 * Gives an order another status, under its contact's lock, and emits order_status_changed. The status that it has changes nothing. Throws
 * `not_found`; `id` is a UUID.
 */
export const changeStatus = async (
  tx: EventTransaction,
  { accountId, id, status }: { accountId: string; id: string; status: string },
): Promise<OrderRow> => {
  const find = async () => found('order', await findOrder(tx.sql, accountId, id));
  const { contactId } = await find();
  await lockContact(tx.sql, { accountId, contactId });
  const written = await updateStatus(tx.sql, { accountId, id, status });
  if (!written) return find();
  await tellOf(tx, accountId, written);
  return written;
};

const tellOf = async (tx: EventTransaction, accountId: string, written: WrittenOrder): Promise<void> => {
  const { contactId, status, previousStatus, updatedAt: occurredAt } = written;
  const event = { accountId, contactId, occurredAt };
  const order = tellOrder(written);
  if (previousStatus === null) return emitEvent(tx, { name: 'order_placed', ...event, order });
  if (previousStatus === status) return;
  const changed = { ...order, from: previousStatus, to: status };
  await emitEvent(tx, { name: 'order_status_changed', ...event, order: changed });
};
