import { unreachable } from '../unreachable.ts';
import type { EventToSend, NamedEvent } from './events.ts';
import type { Variant } from './names.ts';

/** The payload without contact_id and channel, as variant A sends it and the event log keeps it. */
export const payloadOf = (event: NamedEvent) => {
  switch (event.name) {
    case 'new_message': {
      const { id, text, direction, sentAt } = event.message;
      return { message: { id, text, direction, sent_at: sentAt.toISOString() } };
    }
    case 'new_contact':
      return {};
    case 'tag_applied':
      return { tag: event.tag };
    case 'flow_completed':
      return { flow: event.flow };
    case 'order_placed':
    case 'order_status_changed':
      return { order: event.order };
    case 'handover_requested':
      return { handover: event.handover };
    case 'conversation_closed':
      return { conversation: event.conversation };
    default:
      return unreachable(event);
  }
};

/** Variant B sends a message without its time (specification 2.3). */
const dashboardPayloadOf = (event: NamedEvent) => {
  if (event.name !== 'new_message') return payloadOf(event);
  const { id, text, direction } = event.message;
  return { message: { id, text, direction } };
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
