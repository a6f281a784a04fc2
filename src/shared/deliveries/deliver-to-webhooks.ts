import { createEnvelope } from '../events/envelope.ts';
import type { EmittedEvent, Reaction } from '../events/emit.ts';
import { showId } from '../ids.ts';
import { listSubscribers, readSubscribers, type Subscriber, type SubscribersRead } from '../webhooks/subscribers.ts';
import { insertDeliveries } from './insert.ts';

/** Makes a delivery for each webhook that subscribes to an event, `parked` when the webhook may not be sent to. */
export const deliverToWebhooks: Reaction<SubscribersRead> = {
  read: (sql, { accountId }) => readSubscribers(sql, accountId),
  react: async (tx, event, { read, span }) => {
    const { accountId, name: eventName } = event;
    const subscribers = await listSubscribers(tx.sql, { accountId, eventName }, read);
    span.setAttribute('parley.deliveries', subscribers.length);
    const { told, deliveries } = deliveriesOf(event, subscribers);
    await insertDeliveries(tx, told, deliveries);
  },
};

/** Builds the deliveries of an event, whose bytes every attempt sends. */
export const deliveriesOf = (event: EmittedEvent, subscribers: readonly Subscriber[]) => {
  const { id: eventId, accountId, contactId, name: eventName } = event;
  const sent = { ...event, contactId: showId('contact', contactId) };
  const deliveries = subscribers.map(({ id: webhookId, deliveryId: id, variant, sendable }) => {
    const status = sendable ? ('pending' as const) : ('parked' as const);
    return { id, webhookId, variant, status, body: createEnvelope(variant, sent, showId('delivery', id)) };
  });
  return { told: { accountId, eventId, eventName, contactId, isTest: false }, deliveries };
};
