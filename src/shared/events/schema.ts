import { z } from 'zod';
import { anyJson, asStored, codec, id, nullable, time as shownTime, type RowOf } from '../codec.ts';
import { askedTime, onAccountsClock } from '../times/storable-time.ts';
import { eventNames, eventsOfVariant, type EventName, type Variant } from './names.ts';

const time = z.iso.datetime().meta({ description: 'When the event occurred, in UTC.' });
const contactId = z.string().meta({ description: 'The contact, as GET /v1/contacts/{id} takes it.' });
const channel = z.string().meta({ description: 'The type of the channel, such as api.' });

const message = z.object({ id: z.string(), text: z.string(), direction: z.enum(['inbound', 'outbound']) });
const messageWithTime = message.extend({ sent_at: z.iso.datetime() });

const order = z.object({
  id: z.string().meta({ description: 'As GET /v1/orders/{id} takes it.' }),
  external_id: z.string(),
  number: z.string(),
  status: z.string().meta({ description: 'The one that it has from this event on.' }),
  currency: z.string().meta({ description: 'ISO 4217.' }),
  total: z.int().meta({ description: 'In minor units of the currency, as cents.' }),
  placed_at: z.iso.datetime(),
});

const conversation = z.object({
  id: z.string().meta({ description: 'As GET /v1/conversations/{id} takes it.' }),
  created_at: z.iso.datetime(),
});

const handover = z.object({
  id: z.string().meta({ description: 'As GET /v1/handovers/{id} takes it.' }),
  reason: z.string(),
  requested_by: z.enum(['contact', 'flow', 'agent', 'api']),
  conversation_id: z.string().nullable().meta({ description: 'Null where the contact had no open one.' }),
  created_at: z.iso.datetime(),
});

/** The object of each event; only new_contact has none. */
const nouns: Record<EventName, Record<string, z.ZodType>> = {
  new_message: { message: messageWithTime },
  new_contact: {},
  tag_applied: { tag: z.object({ name: z.string().meta({ description: 'As it was first spelt.' }) }) },
  flow_completed: { flow: z.object({ id: z.string(), name: z.string() }) },
  order_placed: { order },
  order_status_changed: { order: order.extend({ from: z.string(), to: z.string() }) },
  handover_requested: { handover },
  conversation_closed: { conversation: conversation },
};

/** The body of an event for a webhook of this variant (specification 2.2 and 2.3). */
export const envelopeBody = (variant: Variant, name: EventName): z.ZodType => {
  const event = z.literal(name);
  if (variant === 'dashboard') {
    const noun = name === 'new_message' ? { message } : nouns[name];
    return z.strictObject({ event, timestamp: time, contact_id: contactId, channel, ...noun });
  }
  const id = z.string().meta({ description: 'The same on every attempt: discard duplicates by it.' });
  const data = z.strictObject({ contact_id: contactId, channel, ...nouns[name] });
  return z.strictObject({ id, event, timestamp: time, data });
};

/** What each event means (specification 6.1). */
export const eventMeanings: Record<EventName, string> = {
  new_message: 'A contact sends a message on a connected channel',
  new_contact: 'A new contact is created',
  tag_applied: 'A tag is applied to a contact that did not have it',
  flow_completed: 'A contact reaches the end of a flow',
  order_placed: 'A contact places an order',
  order_status_changed: 'An order status is updated',
  handover_requested: 'A contact requests, or is escalated to, a human agent',
  conversation_closed: 'A conversation is marked as closed',
};

/** Every event with the variants that have it. */
export const eventsWithVariants = eventNames.map((name) => ({
  name,
  variants: (['api', 'dashboard'] as const).filter((variant) => eventsOfVariant(variant).includes(name)),
}));

/** The filters of the event log, beside the paging. */
export const eventFilters = {
  event: z
    .enum(eventNames, { error: `must be of ${eventNames.join(', ')}` })
    .optional()
    .meta({ description: 'The name of the event.' }),
  since: askedTime.optional().meta({ description: `Only those of this time or later. ${onAccountsClock}` }),
  until: askedTime.optional().meta({ description: `Only those before this time. ${onAccountsClock}` }),
};

const loggedEvent = codec({
  id: id('event'),
  event: asStored(z.enum(eventNames)),
  timestamp: shownTime(),
  contact_id: nullable(id('contact')),
  channel: asStored(channel),
  data: nullable(asStored(z.record(z.string(), anyJson)), {
    description: 'As receivers get it beside contact and channel, such as `{"tag": {"name": "vip"}}`. Null for agents.',
  }),
});

/** An event of the log. */
export const loggedEventBody = loggedEvent.body.meta({ id: 'Event' });

/** An event as it is stored; ids are UUIDs. */
export type LoggedEventRow = RowOf<typeof loggedEvent>;

export const showLoggedEvent = loggedEvent.show;
