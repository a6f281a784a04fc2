import { unreachable } from '../unreachable.ts';
import type { EventPayload } from './envelope.ts';
import type { EventName } from './names.ts';

/** Plausible ids that name nobody: what a test event tells has not happened. */
const ids = {
  contact: 'con_01m7yvw2d9fakacgw7x6mj5rnw',
  message: 'msg_01m7yvw2defakacgwsjrgb7k0y',
  conversation: 'cnv_01m7yvw2dgfakacgx3k5t8w0qe',
} as const;

/** An event as it could happen, for trying out an endpoint; it is tied to no contact, and its ids name nothing. */
export const createSampleEvent = (name: EventName, occurredAt: Date): EventPayload => ({
  name,
  contactId: ids.contact,
  channel: 'api',
  occurredAt,
  ...samplePayload(name, occurredAt),
});

const samplePayload = (name: EventName, occurredAt: Date): Partial<EventPayload> => {
  switch (name) {
    case 'new_message': {
      const text = 'Hello! This is a test event from Parley.';
      return { message: { id: ids.message, text, direction: 'inbound', sentAt: occurredAt } };
    }
    case 'new_contact':
      return {};
    case 'tag_applied':
      return { tag: { name: 'test' } };
    case 'flow_completed':
      return { flow: { name: 'Test flow' } };
    case 'order_placed':
      return { order: { number: 'TEST-1', status: 'placed' } };
    case 'order_status_changed':
      return { order: { number: 'TEST-1', status: 'shipped' } };
    case 'handover_requested':
      return { handover: { reason: 'This is a test event from Parley.' } };
    case 'conversation_closed':
      return { conversation: { id: ids.conversation } };
    default:
      return unreachable(name);
  }
};
