import { createEnvelope } from '../events/envelope.ts';
import type { Reaction } from '../events/emit.ts';
import { showId } from '../ids.ts';
import { listSubscribers, readSubscribers, type SubscribersRead } from '../webhooks/subscribers.ts';
import { insertDeliveries } from './insert.ts';

/**
 * Makes one delivery with its final bytes for each webhook that subscribes to an event. A webhook that may not be sent to keeps its
 * delivery as `parked`.
 */
export const deliverToWebhooks: Reaction<SubscribersRead> = {
  read: (sql, { accountId }) => readSubscribers(sql, accountId),
  react: async (tx, event, { read, span }) => {
    const { id: eventId, accountId, contactId, name: eventName } = event;
    const subscribers = await listSubscribers(tx.sql, { accountId, eventName }, read);
    span.setAttribute('parley.deliveries', subscribers.length);
    const sent = { ...event, contactId: showId('contact', contactId) };
    await insertDeliveries(
      tx,
      { accountId, eventId, eventName, contactId, isTest: false },
      subscribers.map(({ id: webhookId, deliveryId: id, variant, sendable }) => {
        const body = createEnvelope(variant, sent, showId('delivery', id));
        return { id, webhookId, variant, status: sendable ? 'pending' : 'parked', body };
      }),
    );
  },
};
