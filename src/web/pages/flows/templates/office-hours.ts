import { ada, type Template } from './template.ts';

/** Hands over to an agent within the office hours of the contact’s clock, and takes a note outside of them. */
export const officeHours = (): Template => ({
  definition: {
    schema_version: 1,
    start: 'is_open',
    triggers: [{ type: 'keyword', match: 'contains', words: ['help', 'support'] }],
    blocks: [
      {
        id: 'is_open',
        type: 'condition',
        name: 'Is the office open?',
        match: 'all',
        rules: [
          { field: 'now.weekday', op: 'is_not', value: 'saturday' },
          { field: 'now.weekday', op: 'is_not', value: 'sunday' },
          { field: 'now.time', op: 'gte', value: '09:00' },
          { field: 'now.time', op: 'lt', value: '17:00' },
        ],
        next: { true: 'agent', false: 'ask_note' },
      },
      {
        id: 'agent',
        type: 'handover',
        name: 'Ask for an agent',
        reason: 'Asks for help in office hours',
        timeout: 'PT1H',
        next: { resolved: null, timeout: 'ask_note' },
      },
      {
        id: 'ask_note',
        type: 'ask',
        name: 'Take a note',
        prompt: 'We are here Monday to Friday, 9:00 to 17:00. What can we do for you?',
        expects: 'text',
        save_to: 'note',
        timeout: 'P1D',
        next: { answered: 'mark', invalid: 'mark', timeout: null, failed: null },
      },
      { id: 'mark', type: 'add_tag', name: 'Mark for a call', tag: 'call back', next: { default: 'thanks' } },
      {
        id: 'thanks',
        type: 'send',
        name: 'Say thanks',
        messages: [{ text: 'Thank you. We will write back on the next working day.' }],
        next: { default: null, failed: null },
      },
    ],
  },
  fields: [{ key: 'note', name: 'Note', type: 'text' }],
  scenario: {
    name: 'On a Sunday',
    simulation: {
      contact: { ...ada, time_zone: 'Europe/London', tags: [] },
      now: '2026-03-01T12:00:00Z',
      seed: 1,
      inputs: [{ text: 'My invoice is wrong' }],
    },
    expected: {
      status: 'completed',
      messages: [
        'We are here Monday to Friday, 9:00 to 17:00. What can we do for you?',
        'Thank you. We will write back on the next working day.',
      ],
      fields: { note: 'My invoice is wrong' },
      tags: ['call back'],
    },
  },
});
