import type { EventName, Variant } from './names.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

type MessageOfEvent = { id: string; text: string; direction: 'inbound' | 'outbound'; sentAt: Date };

/**
 * What happened: `contactId` as shown outside. The payload beside it is one object named after its noun; only
 * new_contact has none.
 */
export type EventPayload = {
  name: EventName;
  contactId: string;
  channel: string;
  occurredAt: Date;
  message?: MessageOfEvent;
  tag?: JsonObject;
  flow?: JsonObject;
  order?: JsonObject;
  handover?: JsonObject;
  conversation?: JsonObject;
};

/** The payload beside contact_id and channel, as variant A sends it and the event log keeps it. */
export const payloadOf = ({ message, tag, flow, order, handover, conversation }: EventPayload) => ({
  ...(message && {
    message: {
      id: message.id,
      text: message.text,
      direction: message.direction,
      sent_at: message.sentAt.toISOString(),
    },
  }),
  ...(tag && { tag }),
  ...(flow && { flow }),
  ...(order && { order }),
  ...(handover && { handover }),
  ...(conversation && { conversation }),
});

/** Variant A: an id that receivers deduplicate on, and the payload inside `data` (specification 2.2). */
const apiEnvelope = (event: EventPayload, deliveryId: string) => ({
  id: deliveryId,
  event: event.name,
  timestamp: event.occurredAt.toISOString(),
  data: {
    contact_id: event.contactId,
    channel: event.channel,
    ...payloadOf(event),
  },
});

/** Variant B: flat, with neither id nor wrapper, and a message without its time (specification 2.3). */
const dashboardEnvelope = (event: EventPayload) => {
  const { message, ...nouns } = payloadOf(event);
  return {
    event: event.name,
    timestamp: event.occurredAt.toISOString(),
    contact_id: event.contactId,
    channel: event.channel,
    ...(message && { message: { id: message.id, text: message.text, direction: message.direction } }),
    ...nouns,
  };
};

/** The bytes of one delivery, made once: every attempt sends exactly these. */
export const createEnvelope = (variant: Variant, event: EventPayload, deliveryId: string): Buffer =>
  Buffer.from(JSON.stringify(variant === 'api' ? apiEnvelope(event, deliveryId) : dashboardEnvelope(event)));
