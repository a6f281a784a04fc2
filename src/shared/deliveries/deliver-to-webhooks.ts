import { createEnvelope } from '../events/envelope.ts';
import type { Reaction } from '../events/emit.ts';
import { showId } from '../ids.ts';
import { listSubscribers } from '../webhooks/subscribers.ts';
import { insertDeliveries } from './insert.ts';

/**
 * Makes one delivery with its final bytes for each webhook that subscribes to an event. A webhook that may not be sent to keeps its
 * delivery as `parked`.
 */
export const deliverToWebhooks: Reaction = async (tx, { event, recorded, span }) => {
  const subscribers = await listSubscribers(tx.sql, event.accountId, event.name);
  span.setAttribute('parley.deliveries', subscribers.length);
  const { id: eventId, channel } = await recorded;
  const { accountId, contactId, name: eventName } = event;
  const sent = { ...event, contactId: showId('contact', contactId), channel };
  await insertDeliveries(
    tx,
    { accountId, eventId, eventName, contactId, isTest: false },
    subscribers.map(({ id: webhookId, deliveryId: id, variant, sendable }) => {
      const body = createEnvelope(variant, sent, showId('delivery', id));
      return { id, webhookId, variant, status: sendable ? 'pending' : 'parked', body };
    }),
  );
};
