import { sampleIds } from '../facts/sample-ids.ts';
import { createEnvelope } from './envelope.ts';
import type { EventToSend } from '../facts/domain-event.ts';
import { eventOf, type EventName, type Variant } from '../facts/names.ts';

/** A sample event for trying out an endpoint. Its ids, also that of the contact, belong to nothing. */
export const createSampleEvent = (name: EventName, occurredAt: Date): EventToSend => ({
  ...eventOf(name).sample(occurredAt),
  contactId: sampleIds.contact,
  channel: 'api',
  occurredAt,
});

/** The body of a sample event for a webhook of this variant, made by the code that makes real ones. */
export const exampleEnvelope = (variant: Variant, name: EventName): unknown => {
  const event = createSampleEvent(name, new Date('2026-11-21T10:54:12.387Z'));
  return JSON.parse(createEnvelope(variant, event, sampleIds.delivery).toString('utf8'));
};
