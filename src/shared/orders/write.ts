import { lockContact } from '../contacts/lock-contact.ts';
import { conflictWith, found, invalid, notFound } from '../errors.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { instantIn } from '../times/storable-time.ts';
import {
  findOrder,
  findOrderByExternalId,
  readStatuses,
  updateStatus,
  upsertOrder,
  type Statuses,
  type WrittenOrder,
} from './queries.ts';
import { tellOrder, type HadStatus, type NewOrder, type OrderChanges, type OrderRow } from './schema.ts';
import { withStatus } from './status-history.ts';
import { changed } from '../facts/changed.ts';

/** How far the clock of a shop may be ahead of ours, in minutes. */
const aheadAtMost = 5;

/**
 * Makes an order, or changes the one of its external id, under the contact's lock. Tells order_placed for a new one, and
 * order_status_changed for one that has another status by it. Throws `not_found` when the account has no such contact, `invalid_request` for a
 * time that is far ahead, and `conflict` when the order is another contact's, which names the order.
 */
export const placeOrder = async (tx: EventTransaction, accountId: string, order: NewOrder): Promise<OrderRow> => {
  const { contact_id: contactId, external_id } = order;
  const contact = await lockContact(tx.sql, { accountId, contactId });
  if (!contact) throw notFound('contact');
  const { timeZone } = contact;
  const placedAt = order.placed_at === undefined ? null : (instantIn(order.placed_at, timeZone) ?? null);
  const next = nextStatuses(await readStatuses(tx.sql, accountId, { external_id }), order, timeZone);
  const written = await upsertOrder(tx.sql, accountId, { order, placedAt, next });
  if (!written) {
    const message = 'Another contact has the order with this external_id. An order stays with its contact.';
    const id = await findOrderByExternalId(tx.sql, accountId, external_id);
    throw conflictWith(message, { noun: 'order', id, key: 'external_id' });
  }
  await tellOf(tx, accountId, written);
  return written;
};

/**
 * Gives an order another status, under its contact's lock, and tells order_status_changed when the present one is another by it. A status that it
 * has, or had at that time, changes nothing. Throws `not_found`, and `invalid_request` for a time that is far ahead; `id` is a UUID.
 */
export const changeStatus = async (
  tx: EventTransaction,
  { accountId, id, changes }: { accountId: string; id: string; changes: OrderChanges },
): Promise<OrderRow> => {
  const find = async () => found('order', await findOrder(tx.sql, accountId, id));
  const { contactId } = await find();
  const contact = await lockContact(tx.sql, { accountId, contactId });
  const before = await readStatuses(tx.sql, accountId, { id });
  const next = nextStatuses(before, changes, contact?.timeZone ?? 'UTC');
  if (next.history === before.history) return find();
  const written = await updateStatus(tx.sql, { accountId, id, next });
  await tellOf(tx, accountId, written);
  return written;
};

/**
 * The statuses of an order after a change. One that does not say when it was is the latest. Throws `invalid_request` for one that says a time
 * far ahead: no later change would win over it.
 */
const nextStatuses = ({ history, now }: Statuses, { status, changed_at }: OrderChanges, timeZone: string) => {
  const said = changed_at === undefined ? undefined : instantIn(changed_at, timeZone);
  if (said !== undefined && said.getTime() > now.getTime() + aheadAtMost * 60_000)
    throw invalid({ path: 'changed_at', message: `must not be more than ${aheadAtMost} minutes ahead` });
  const latest = Math.max(now.getTime(), ...history.slice(-1).map((had: HadStatus) => Date.parse(had.changed_at)));
  const next = withStatus(history, status, said ?? new Date(latest));
  return { status: next.at(-1)?.status ?? status, history: next, now };
};

/** A status that only goes into the history is not told: the event says what the order has become. */
const tellOf = async (tx: EventTransaction, accountId: string, written: WrittenOrder): Promise<void> => {
  const { contactId, status, previousStatus, updatedAt: occurredAt } = written;
  const event = { accountId, contactId, occurredAt };
  const order = tellOrder(written);
  if (previousStatus === null) return tx.tell({ name: 'order_placed', ...event, order });
  if (previousStatus === status) return tx.tell(changed(accountId, 'orders', 'contacts'));
  const moved = { ...order, from: previousStatus, to: status };
  await tx.tell({ name: 'order_status_changed', ...event, order: moved });
};
