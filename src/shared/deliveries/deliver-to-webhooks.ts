import { createEnvelope } from '../events/envelope.ts';
import type { BeforeCommit, ToldEvent, ToDeliver } from '../facts/tell.ts';
import { showId } from '../ids.ts';
import {
  countSubscribers,
  listSubscribers,
  readNewIds,
  readWebhooks,
  type Addressed,
  type Subscriber,
  type SubscribersRead,
} from '../webhooks/subscribers.ts';
import { insertDeliveries } from './insert.ts';
import { changed } from '../facts/changed.ts';

/** An event of a transaction reads its account's webhooks, unless one before it has. */
type Read = Pick<SubscribersRead, 'newIds'> & Partial<SubscribersRead>;

/** Makes a delivery for each webhook that subscribes to an event of the transaction, `parked` when the webhook may not be sent to. */
export const deliverToWebhooks: BeforeCommit<Read> = {
  read: (sql, { accountId }, before) => {
    const webhooks = findWebhooks(before, accountId);
    return webhooks ? readNewIds(sql, { webhooks }) : readWebhooks(sql, accountId);
  },
  count: (told, all) => countSubscribers(addressed(told, all)),
  flush: async (tx, all) => {
    const subscribers = await listSubscribers(
      tx.sql,
      all.map((told) => addressed(told, all)),
    );
    const sent = all.map(({ event, traceparent }, index) => ({
      ...deliveriesOf(event, subscribers[index] ?? []),
      traceparent,
    }));
    await insertDeliveries(tx, sent);
    for (const { told, deliveries } of sent)
      if (deliveries.length > 0) await tx.tell(changed(told.accountId, 'deliveries'));
  },
};

const findWebhooks = (all: readonly ToDeliver<Read>[], accountId: string) =>
  all.find(({ event, read }) => event.accountId === accountId && read.webhooks !== undefined)?.read.webhooks;

const addressed = ({ event, read }: ToDeliver<Read>, all: readonly ToDeliver<Read>[]): Addressed => {
  const { accountId, name: eventName } = event;
  return { accountId, eventName, newIds: read.newIds, webhooks: findWebhooks(all, accountId) ?? [] };
};

/** Builds the deliveries of an event, whose bytes every attempt sends. */
export const deliveriesOf = (event: ToldEvent, subscribers: readonly Subscriber[]) => {
  const { id: eventId, accountId, contactId, name: eventName } = event;
  const sent = { ...event, contactId: showId('contact', contactId) };
  const deliveries = subscribers.map(({ id: webhookId, deliveryId: id, variant, sendable }) => {
    const status = sendable ? ('pending' as const) : ('parked' as const);
    return { id, webhookId, variant, status, body: createEnvelope(variant, sent, showId('delivery', id)) };
  });
  return { told: { accountId, eventId, eventName, contactId, isTest: false }, deliveries };
};
