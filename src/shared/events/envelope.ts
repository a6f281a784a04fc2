import { payloadOf, type EventToSend, type NamedEvent } from '../facts/domain-event.ts';
import { eventOf, type Variant } from '../facts/names.ts';

/** Variant B may have less: a message has no time there (specification 2.3). */
const dashboardPayloadOf = (event: NamedEvent) => {
  const { dashboardData } = eventOf(event.name);
  return dashboardData ? dashboardData.parse(payloadOf(event)) : payloadOf(event);
};

/** Variant A has an id, by which receivers deduplicate, and its payload inside `data` (specification 2.2). */
const apiEnvelope = (event: EventToSend, deliveryId: string) => ({
  id: deliveryId,
  event: event.name,
  timestamp: event.occurredAt.toISOString(),
  data: {
    contact_id: event.contactId,
    channel: event.channel,
    ...payloadOf(event),
  },
});

/** Variant B is flat, with neither id nor `data` (specification 2.3). */
const dashboardEnvelope = (event: EventToSend) => ({
  event: event.name,
  timestamp: event.occurredAt.toISOString(),
  contact_id: event.contactId,
  channel: event.channel,
  ...dashboardPayloadOf(event),
});

/** The bytes of a delivery. They are made once, and every attempt sends them. */
export const createEnvelope = (variant: Variant, event: EventToSend, deliveryId: string): Buffer =>
  Buffer.from(JSON.stringify(variant === 'api' ? apiEnvelope(event, deliveryId) : dashboardEnvelope(event)));
