import { randomUUID } from 'node:crypto';
import type { InboundMessage } from '../../src/shared/channels/schema.ts';
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
