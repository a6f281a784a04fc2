import { createEnvelope } from './envelope.ts';
import type { EventToSend, NamedEvent } from './events.ts';
import type { EventName, Variant } from './names.ts';

/** Ids of the right form that belong to nothing. */
const ids = {
  contact: 'con_01m7yvw2d9fakacgw7x6mj5rnw',
  message: 'msg_01m7yvw2defakacgwsjrgb7k0y',
  conversation: 'cnv_01m7yvw2dgfakacgx3k5t8w0qe',
  flow: 'flow_01m7yvw2dkfakacgx9c4h2m8ra',
  order: 'ord_01m7yvw2dmfakacgxm2n6p1s3t',
  handover: 'hnd_01m7yvw2dnfakacgxq5r8v2w4y',
} as const;

const sampleOrder = (status: string, placedAt: Date) => ({
  id: ids.order,
  external_id: 'test-1',
  number: 'TEST-1',
  status,
  currency: 'EUR',
  total: 4_990,
  placed_at: placedAt.toISOString(),
});

const samples: { [Name in EventName]: (occurredAt: Date) => NamedEvent<Name> } = {
  new_message: (sentAt) => {
    const text = 'Hello! This is a test event from Parley.';
    return { name: 'new_message', message: { id: ids.message, text, direction: 'inbound', sentAt } };
  },
  new_contact: () => ({ name: 'new_contact' }),
  tag_applied: () => ({ name: 'tag_applied', tag: { name: 'test' } }),
  flow_completed: () => ({ name: 'flow_completed', flow: { id: ids.flow, name: 'Test flow' } }),
  order_placed: (placedAt) => ({ name: 'order_placed', order: sampleOrder('placed', placedAt) }),
  order_status_changed: (changedAt) => ({
    name: 'order_status_changed',
    order: { ...sampleOrder('shipped', changedAt), from: 'placed', to: 'shipped' },
  }),
  handover_requested: (requestedAt) => ({
    name: 'handover_requested',
    handover: {
      id: ids.handover,
      reason: 'This is a test event from Parley.',
      requested_by: 'api',
      conversation_id: ids.conversation,
      created_at: requestedAt.toISOString(),
    },
  }),
  conversation_closed: (closedAt) => ({
    name: 'conversation_closed',
    conversation: { id: ids.conversation, created_at: closedAt.toISOString() },
  }),
};

/** A sample event for trying out an endpoint. Its ids, also that of the contact, belong to nothing. */
export const createSampleEvent = (name: EventName, occurredAt: Date): EventToSend => ({
  ...samples[name](occurredAt),
  contactId: ids.contact,
  channel: 'api',
  occurredAt,
});

/** The body of a sample event for a webhook of this variant, made by the code that makes real ones. */
export const exampleEnvelope = (variant: Variant, name: EventName): unknown => {
  const event = createSampleEvent(name, new Date('2026-11-21T10:54:12.387Z'));
  return JSON.parse(createEnvelope(variant, event, 'dlv_01m7yvw2djfakacgxdw00stas2').toString('utf8'));
};
