import { ada, type Template } from './template.ts';

/** Asks for a rating a day after delivery, and low ratings for the reason. */
export const survey = (): Template => ({
  definition: {
    schema_version: 1,
    start: 'a_day',
    triggers: [{ type: 'order_status_changed', status: 'delivered' }],
    blocks: [
      { id: 'a_day', type: 'delay', name: 'Wait a day', for: 'P1D', next: { default: 'ask_rating' } },
      {
        id: 'ask_rating',
        type: 'ask',
        name: 'Ask for a rating',
        prompt: 'How did you like your order, from 1 to 5?',
        expects: 'choice',
        choices: ['1', '2', '3', '4', '5'],
        save_to: 'rating',
        retry_text: 'Please choose a number from 1 to 5.',
        timeout: 'P3D',
        next: { answered: 'is_happy', invalid: null, timeout: null, failed: null },
      },
      {
        id: 'is_happy',
        type: 'condition',
        name: 'Four or more?',
        match: 'all',
        rules: [{ field: 'rating', op: 'gte', value: 4 }],
        next: { true: 'thanks', false: 'ask_why' },
      },
      {
        id: 'thanks',
        type: 'send',
        name: 'Say thanks',
        messages: [{ text: 'Glad to hear that. Thank you!' }],
        next: { default: null, failed: null },
      },
      {
        id: 'ask_why',
        type: 'ask',
        name: 'Ask why',
        prompt: 'Sorry to hear that. What went wrong?',
        expects: 'text',
        save_to: 'feedback',
        timeout: 'P3D',
        next: { answered: 'mark', invalid: 'mark', timeout: 'mark', failed: null },
      },
      { id: 'mark', type: 'add_tag', name: 'Mark as unhappy', tag: 'unhappy', next: { default: 'promise' } },
      {
        id: 'promise',
        type: 'send',
        name: 'Promise to look into it',
        messages: [{ text: 'Thank you. We will look into it.' }],
        next: { default: null, failed: null },
      },
    ],
  },
  fields: [
    { key: 'rating', name: 'Rating', type: 'number' },
    { key: 'feedback', name: 'Feedback', type: 'text' },
  ],
  scenario: {
    name: 'A low rating',
    simulation: {
      contact: { ...ada, tags: [] },
      seed: 1,
      inputs: [{ after: 'P1D' }, { text: '2' }, { text: 'Too late' }],
    },
    expected: {
      status: 'completed',
      messages: [
        'How did you like your order, from 1 to 5?',
        'Sorry to hear that. What went wrong?',
        'Thank you. We will look into it.',
      ],
      fields: { rating: 2, feedback: 'Too late' },
      tags: ['unhappy'],
    },
  },
});
