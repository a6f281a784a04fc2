import { ada, type Template } from './template.ts';

/** Reminds a contact of a cart, unless an order is placed within the hour. */
export const abandonedCart = (): Template => ({
  definition: {
    schema_version: 1,
    start: 'wait_order',
    triggers: [{ type: 'tag_applied', tag: 'cart' }],
    blocks: [
      {
        id: 'wait_order',
        type: 'wait_event',
        name: 'Wait for the order',
        event: 'order_placed',
        timeout: 'PT1H',
        next: { received: 'done', timeout: 'remind' },
      },
      {
        id: 'remind',
        type: 'ask',
        name: 'Remind of the cart',
        prompt: 'Hi {{first_name|default:"there"}}, your cart is still waiting. May we help with your order?',
        expects: 'choice',
        choices: ['Yes, please', 'No, thanks'],
        timeout: 'P1D',
        next: { answered: 'wants_help', invalid: 'done', timeout: 'done', failed: null },
      },
      {
        id: 'wants_help',
        type: 'condition',
        name: 'Wants help?',
        match: 'all',
        rules: [{ field: 'reply.text', op: 'starts_with', value: 'yes' }],
        next: { true: 'agent', false: 'done' },
      },
      {
        id: 'agent',
        type: 'handover',
        name: 'Ask for an agent',
        reason: 'Needs help with the cart',
        timeout: 'P1D',
        next: { resolved: 'done', timeout: 'done' },
      },
      { id: 'done', type: 'remove_tag', name: 'Forget the cart', tag: 'cart', next: { default: null } },
    ],
  },
  fields: [],
  scenario: {
    name: 'Nothing is ordered',
    simulation: {
      contact: { ...ada, tags: ['cart'] },
      seed: 1,
      inputs: [{ after: 'PT1H' }, { text: 'No, thanks' }],
    },
    expected: {
      status: 'completed',
      messages: ['Hi Ada, your cart is still waiting. May we help with your order?'],
      tags: [],
    },
  },
});
