import { expect, test } from 'vitest';
import { events } from '../../../src/shared/facts/facts.ts';

test('the first eight events have the names and variants of specification 6.1, in its order', () => {
  expect(events.slice(0, 8).map(({ name, variants }) => [name, ...variants])).toEqual([
    ['new_message', 'api', 'dashboard'],
    ['new_contact', 'api', 'dashboard'],
    ['tag_applied', 'api', 'dashboard'],
    ['flow_completed', 'api', 'dashboard'],
    ['order_placed', 'api', 'dashboard'],
    ['order_status_changed', 'api', 'dashboard'],
    ['handover_requested', 'api', 'dashboard'],
    ['conversation_closed', 'api'],
  ]);
});

const at = new Date('2026-11-21T10:54:12.387Z');

test('an event says its data to those who may read them, and to others only what happened', () => {
  const said = Object.fromEntries(events.map(({ name, sample, say }) => [name, [say(sample(at)), say(null)]]));
  expect(said).toMatchObject({
    new_message: ['Wrote: Hello! This is a test event from Parley.', 'Wrote a message'],
    new_contact: ['Became a contact', 'Became a contact'],
    tag_applied: ['Got the tag “test”', 'Got a tag'],
    flow_completed: ['Reached the end of the flow Test flow', 'Reached the end of a flow'],
    order_placed: ['Placed the order TEST-1', 'Placed an order'],
    order_status_changed: ['The order TEST-1 went from placed to shipped', 'An order changed its status'],
    handover_requested: ['Handover requested: This is a test event from Parley.', 'Handover requested'],
    conversation_closed: ['A conversation was closed', 'A conversation was closed'],
  });
});

test('the sample of an event has all its data, and nothing else', () => {
  for (const { data, name, sample } of events) expect({ name, ...data.parse(sample(at)) }).toEqual(sample(at));
});

test('pages read events and contacts again after every event', () => {
  for (const { topics } of events) expect(topics).toEqual(expect.arrayContaining(['events', 'contacts']));
});
