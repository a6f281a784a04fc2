import { describe, expect, test } from 'vitest';
import { createEnvelope } from '../../../src/shared/events/envelope.ts';
import type { EventToSend } from '../../../src/shared/facts/domain-event.ts';
import { eventNames, eventsOfVariant, subscribes } from '../../../src/shared/facts/names.ts';

const at = new Date('2026-03-04T05:06:07.089Z');
const common = { contactId: 'con_1', channel: 'api', occurredAt: at };
const message = { id: 'msg_1', text: 'Grüße 👋', direction: 'inbound', sent_at: at.toISOString() } as const;

const envelope = (variant: 'api' | 'dashboard', event: EventToSend): unknown =>
  JSON.parse(createEnvelope(variant, event, 'dlv_1').toString('utf8'));

describe('the bytes of a delivery', () => {
  test('variant A wraps the payload in data and carries the id of the delivery (specification 2.2)', () => {
    expect(envelope('api', { ...common, name: 'new_message', message })).toEqual({
      id: 'dlv_1',
      event: 'new_message',
      timestamp: '2026-03-04T05:06:07.089Z',
      data: {
        contact_id: 'con_1',
        channel: 'api',
        message: { id: 'msg_1', text: 'Grüße 👋', direction: 'inbound', sent_at: '2026-03-04T05:06:07.089Z' },
      },
    });
  });

  test('variant B is flat and has exactly the fields of specification 2.3', () => {
    expect(envelope('dashboard', { ...common, name: 'new_message', message })).toEqual({
      event: 'new_message',
      timestamp: '2026-03-04T05:06:07.089Z',
      contact_id: 'con_1',
      channel: 'api',
      message: { id: 'msg_1', text: 'Grüße 👋', direction: 'inbound' },
    });
  });

  test('new_contact has no object beside contact_id and channel', () => {
    const event = { ...common, name: 'new_contact' } as const;
    expect(envelope('api', event)).toMatchObject({ data: { contact_id: 'con_1', channel: 'api' } });
    expect(Object.keys(envelope('dashboard', event) as object)).toEqual([
      'event',
      'timestamp',
      'contact_id',
      'channel',
    ]);
  });

  test('every other event has one object named after its noun, in both variants', () => {
    const event = { ...common, name: 'tag_applied', tag: { name: 'vip' } } as const;
    expect(envelope('api', event)).toMatchObject({ data: { tag: { name: 'vip' } } });
    expect(envelope('dashboard', event)).toMatchObject({ tag: { name: 'vip' } });
  });
});

test('* means all events for variant A, and for variant B those that it has', () => {
  expect(eventNames.filter((name) => !subscribes('api', ['*'], name))).toEqual([]);
  expect(eventNames.filter((name) => subscribes('dashboard', ['*'], name))).toEqual(eventsOfVariant('dashboard'));
  expect(subscribes('dashboard', ['*', 'conversation_closed'], 'conversation_closed')).toBe(false);
  expect(subscribes('api', ['new_contact'], 'new_message')).toBe(false);
  expect(subscribes('api', ['new_contact'], 'new_contact')).toBe(true);
});
