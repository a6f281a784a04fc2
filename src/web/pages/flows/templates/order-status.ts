import { ada, type ApiUrl, type Template } from './template.ts';

/** Asks another service for the status of an order, and tells it. */
export const orderStatus = (api: ApiUrl): Template => ({
  definition: {
    schema_version: 1,
    start: 'ask_number',
    triggers: [{ type: 'keyword', match: 'contains', words: ['order'] }],
    blocks: [
      {
        id: 'ask_number',
        type: 'ask',
        name: 'Ask for the order number',
        prompt: 'Hi {{first_name|default:"there"}}! What is your order number?',
        expects: 'text',
        save_to: 'order_number',
        timeout: 'P1D',
        next: { answered: 'look_up', invalid: 'sorry', timeout: null, failed: null },
      },
      {
        id: 'look_up',
        type: 'external_request',
        name: 'Look up the order',
        method: 'GET',
        url: `${api}/orders/{{order_number}}`,
        mapping: [{ path: '$.order.status', field: 'order_status', on_missing: 'error' }],
        next: { success: 'tell', error: 'sorry', timeout: 'sorry' },
      },
      {
        id: 'tell',
        type: 'send',
        name: 'Tell the status',
        messages: [{ text: 'Your order {{order_number}} is {{order_status}}.' }],
        next: { default: null, failed: null },
      },
      {
        id: 'sorry',
        type: 'send',
        name: 'Say sorry',
        messages: [{ text: 'Sorry, I could not find that order. Please check the number and write “order” again.' }],
        next: { default: null, failed: null },
      },
    ],
  },
  fields: [
    { key: 'order_number', name: 'Order number', type: 'text' },
    { key: 'order_status', name: 'Order status', type: 'text' },
  ],
  scenario: {
    name: 'Order found',
    simulation: {
      contact: { ...ada, tags: [] },
      seed: 1,
      inputs: [{ text: '1042' }],
      mocks: { look_up: { status: 200, body: { order: { number: '1042', status: 'shipped' } } } },
    },
    expected: {
      status: 'completed',
      messages: ['Hi Ada! What is your order number?', 'Your order 1042 is shipped.'],
      fields: { order_status: 'shipped' },
    },
  },
});
