import { randomUUID } from 'node:crypto';
import type { InboundMessage } from '../../src/shared/messages/inbound/schema.ts';
import type { NewContact } from '../../src/shared/contacts/schema.ts';

/** A message as a channel of type api hands it in, with a message id and a sender that are new. */
export const anInboundMessage = (fields: Partial<InboundMessage> = {}): InboundMessage => ({
  message_id: randomUUID(),
  sender: { external_id: randomUUID() },
  text: 'Is the blue one still there?',
  ...fields,
});

/** A contact to create. */
export const aContact = (fields: NewContact = {}): NewContact => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+4915112345678',
  language: 'en-GB',
  time_zone: 'Europe/London',
  custom_fields: { vip: true, orders: 3, note: 'likes engines' },
  ...fields,
});

/** An order of a contact as a shop tells it, with an id of its own that is new. */
export const anOrder = (contactId: string, fields: object = {}) => ({
  external_id: randomUUID(),
  contact_id: contactId,
  number: '#1042',
  status: 'placed',
  currency: 'EUR',
  total: 4_990,
  items: [{ name: 'Shirt, blue', sku: 'SH-7', quantity: 2, unit_price: 2_495 }],
  placed_at: '2026-11-20T08:15:00.000Z',
  metadata: { coupon: 'WELCOME' },
  ...fields,
});
